//! Every number that tunes the search, in one table.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        /// The tunable numbers of the search.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Params {
            /// Name, default, smallest and largest sensible value of every number.
            pub const TABLE: &[(&str, f32, f32, f32)] = &[$((stringify!($name), $default, $min, $max),)*];

            /// The names of all numbers, for messages.
            #[must_use]
            pub fn names() -> String {
                [$(stringify!($name)),*].join(", ")
            }

            /// Sets a number by its name.
            ///
            /// # Errors
            /// If there is no such number or the value is outside its range.
            pub fn set(&mut self, name: &str, value: f32) -> Result<(), String> {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => self.$name = value,)*
                    $(stringify!($name) => return Err(format!("{name} = {value}: expected {} to {}", $min, $max)),)*
                    _ => return Err(format!("no parameter \"{name}\"")),
                }
                Ok(())
            }
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* }
            }
        }
    };
}

params! {
    /// Weight of exploration (PUCT's c) where an amazon is chosen, in win probability.
    explore_amazon = 1.0 in 0.01..=5.0;
    /// Weight of exploration where an arrow is chosen, in win probability.
    explore_arrow = 0.18 in 0.01..=5.0;
    /// Growth of the weight of exploration, as a share of itself, whenever a node's visits double.
    explore_growth = 0.30 in 0.0..=2.0;
    /// Visits of a node from which on the weight of exploration grows.
    explore_growth_start = 2000.0 in 1.0..=1000000.0;
    /// First-play-urgency reduction, in win probability: the (k+1)-th edge competes with its estimate minus
    /// this / k.
    fpu_reduction = 0.057 in 0.0..=1.0;
    /// Iterations that set out from a camp, one after another: a node on the way down.
    camp_iterations = 8.0 in 1.0..=1000.0;
    /// Visits of a camp: it has at least so many, and the edge that its first iteration takes has fewer.
    camp_visits = 32.0 in 1.0..=1000000.0;
    /// Width of the lower confidence bound, in win probability: the move played has the highest mean − this /
    /// √visits.
    lcb_width = 0.5 in 0.0..=10.0;
    /// Temperature of the prior over amazon moves: log-odds per unit of softmax.
    temperature_amazon = 0.78 in 0.1..=10.0;
    /// Share of the distances between amazon's moves in the order network's log-odds that their first values have.
    order_spread = 0.44 in 0.0..=5.0;
    /// Share of the order network's log-odds that is added to those of arrows by the evaluation.
    arrow_lean = 0.64 in 0.0..=5.0;
    /// Temperature of the prior over arrows: log-odds per unit of softmax.
    temperature_arrow = 0.64 in 0.1..=10.0;
}
