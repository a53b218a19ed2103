//! The tunable parameters of the search, in one table with their defaults and ranges.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        /// Values of the search's tunable parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Params {
            /// Name, default, minimum and maximum of every parameter.
            pub const TABLE: &[(&str, f32, f32, f32)] = &[$((stringify!($name), $default, $min, $max),)*];

            /// Returns the names of all parameters, separated by commas, for messages.
            #[must_use]
            pub fn names() -> String {
                [$(stringify!($name)),*].join(", ")
            }

            /// Sets the parameter called `name`.
            ///
            /// # Errors
            /// If no parameter has this name, or `value` is outside the parameter's range.
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
    /// Exploration weight (PUCT's c) at nodes where an amazon's move is due, in win probability.
    explore_amazon = 1.0 in 0.01..=5.0;
    /// Exploration weight (PUCT's c) at nodes where an arrow is due, in win probability.
    explore_arrow = 0.18 in 0.01..=5.0;
    /// Relative growth of PUCT's c per doubling of a node's visits, beyond `explore_growth_start`.
    explore_growth = 0.30 in 0.0..=2.0;
    /// Number of visits of a node from which PUCT's c begins to grow noticeably.
    explore_growth_start = 2000.0 in 1.0..=1000000.0;
    /// First-play-urgency reduction, in win probability. After k edges of a node were visited, the next unvisited edge
    /// competes with its estimate minus `fpu_reduction` / k.
    fpu_reduction = 0.057 in 0.0..=1.0;
    /// Number of iterations in a batch that selects from one start node below the root.
    batch_iterations = 8.0 in 1.0..=1000.0;
    /// Minimum number of visits of a batch's start node. The edge that the first iteration of the batch follows from
    /// this node has fewer visits.
    batch_min_visits = 32.0 in 1.0..=1000000.0;
    /// Width of the lower confidence bound, in win probability. The move with the highest mean − `lcb_width` / √visits
    /// is played.
    lcb_width = 0.5 in 0.0..=10.0;
    /// Softmax temperature of the amazon-move prior: log-odds are divided by this number.
    temperature_amazon = 0.78 in 0.1..=10.0;
    /// Factor on the differences between the policy network's log-odds of amazon moves, when these moves get their
    /// first values.
    policy_spread = 0.44 in 0.0..=5.0;
    /// Weight of the policy network for arrows: a factor on its log-odds before they are added to those of the static
    /// evaluation.
    arrow_policy_offset = 0.64 in 0.0..=5.0;
    /// Softmax temperature of the arrow prior: log-odds are divided by this number.
    temperature_arrow = 0.64 in 0.1..=10.0;
}
