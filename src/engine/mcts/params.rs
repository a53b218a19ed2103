//! The tunable parameters of the search, in one table with their defaults and permitted ranges.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        /// The tunable parameters of the search.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Params {
            /// All parameters, each as its name, default, minimum and maximum, in this order.
            pub const TABLE: &[(&str, f32, f32, f32)] = &[$((stringify!($name), $default, $min, $max),)*];

            /// Returns the names of all parameters, separated by commas, for error messages.
            #[must_use]
            pub fn names() -> String {
                [$(stringify!($name)),*].join(", ")
            }

            /// Sets the parameter called `name` to `value`.
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
    /// Exploration constant c of PUCT at nodes where an amazon must move. PUCT adds c·√N·prior / (1 + n) to the mean
    /// win probability of an edge, where N is the number of visits of the node and n that of the edge.
    explore_amazon = 1.0 in 0.01..=5.0;
    /// Exploration constant c of PUCT at nodes where an arrow must be shot. PUCT adds c·√N·prior / (1 + n) to the mean
    /// win probability of an edge, where N is the number of visits of the node and n that of the edge.
    explore_arrow = 0.18 in 0.01..=5.0;
    /// Growth of PUCT's exploration constant c with the number of visits N of a node: c is multiplied by 1 +
    /// `explore_growth`·log2(1 + N / `explore_growth_start`).
    explore_growth = 0.30 in 0.0..=2.0;
    /// Number of visits of a node at which PUCT's exploration constant c is 1 + `explore_growth` times the constant of
    /// an unvisited node.
    explore_growth_start = 2000.0 in 1.0..=1000000.0;
    /// First-play-urgency reduction, in win probability. Once k edges of a node are visited, the score of the best
    /// unvisited edge is lower by `fpu_reduction` / k.
    fpu_reduction = 0.057 in 0.0..=1.0;
    /// Number of iterations in a batch. The first iteration starts at the root, the others at one node on the path of
    /// the first.
    batch_iterations = 8.0 in 1.0..=1000.0;
    /// Minimum number of visits of the node at which a batch of iterations starts. This is the first node on the path
    /// of the batch's first iteration whose selected edge has fewer visits.
    batch_min_visits = 32.0 in 1.0..=1000000.0;
    /// Width of the lower confidence bound, in win probability. The move with the highest bound, mean − `lcb_width` /
    /// √visits, is played.
    lcb_width = 0.5 in 0.0..=10.0;
    /// Temperature of the softmax that gives the priors of amazon moves: log-odds are divided by this number before the
    /// softmax.
    temperature_amazon = 0.78 in 0.1..=10.0;
    /// Factor on the policy network's differences between amazon moves: the initial estimates of two moves differ by
    /// `policy_spread` times the difference between the log-odds that the policy network gives them.
    policy_spread = 0.44 in 0.0..=5.0;
    /// Factor by which the policy network's log-odds of arrows are multiplied before they are added to the static
    /// evaluation.
    arrow_policy_offset = 0.64 in 0.0..=5.0;
    /// Temperature of the softmax that gives the priors of arrows: log-odds are divided by this number before the
    /// softmax.
    temperature_arrow = 0.64 in 0.1..=10.0;
}
