//! The tunable parameters of the search, in one table with their default values and permitted ranges.

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal ..= $max:literal;)*) => {
        /// The tunable parameters of the search, with their values.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Params {
            /// Table of the tunable parameters of the search, one row for each. First: name. Second: default value.
            /// Third: minimum. Fourth: maximum.
            pub const TABLE: &[(&str, f32, f32, f32)] = &[$((stringify!($name), $default, $min, $max),)*];

            /// Returns the names of all parameters, separated by commas, for error messages.
            #[must_use]
            pub fn names() -> String {
                [$(stringify!($name)),*].join(", ")
            }

            /// Sets the parameter called `name` to `value`.
            ///
            /// # Errors
            /// A message for the user, if no parameter has this name or if `value` is outside the parameter's permitted
            /// range. No parameter is changed then.
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
    /// Exploration constant c of PUCT at nodes at which an amazon's move is chosen. PUCT adds c·√N·prior / (1 + n) to
    /// the mean win probability of an edge, where N is the number of visits of the node and n that of the edge.
    explore_amazon = 1.0 in 0.01..=5.0;
    /// Exploration constant c of PUCT at nodes at which an arrow shot is chosen. PUCT adds c·√N·prior / (1 + n) to the
    /// mean win probability of an edge, where N is the number of visits of the node and n that of the edge.
    explore_arrow = 0.18 in 0.01..=5.0;
    /// How fast PUCT's exploration constant c grows with the number N of visits of a node: c is multiplied by 1 +
    /// `explore_growth`·log2(1 + N / `explore_growth_start`).
    explore_growth = 0.30 in 0.0..=2.0;
    /// Number of visits that determines how soon PUCT's exploration constant c grows. At a node with N visits, c is
    /// multiplied by 1 + `explore_growth`·log2(1 + N / `explore_growth_start`). So the factor is 1 for an unvisited
    /// node, and 1 + `explore_growth` if N is `explore_growth_start`.
    explore_growth_start = 2000.0 in 1.0..=1000000.0;
    /// First-play-urgency (FPU) reduction, in win probability. It lowers the PUCT score of a node's best unvisited edge
    /// (that with the highest estimate), so that visited edges are preferred. The score is lowered by `fpu_reduction` /
    /// k if k > 0 edges of the node are visited, and by 0 if none is.
    fpu_reduction = 0.057 in 0.0..=1.0;
    /// Number of iterations in a batch, a group that shares the beginning of its paths. The first iteration of a batch
    /// starts at the root of the tree; the others start at a node further down on its path.
    batch_iterations = 8.0 in 1.0..=1000.0;
    /// Threshold, in visits, for the node at which a batch starts. A batch is a group of iterations that share the path
    /// from the root to this node. On the path of the first iteration, the node is the first one with two properties:
    /// it has at least `batch_min_visits` visits, and the edge that the iteration follows from it has fewer.
    batch_min_visits = 32.0 in 1.0..=1000000.0;
    /// Width of the lower confidence bound, in win probability. The bot plays the move for which mean win probability −
    /// `lcb_width` / √visits is highest.
    lcb_width = 0.5 in 0.0..=10.0;
    /// Softmax temperature for amazon's moves. The prior probabilities of a node's edges are softmax(logits /
    /// temperature). The logits are the edges' estimates: log-odds that the side to move wins. A higher temperature
    /// makes the priors more equal.
    temperature_amazon = 0.78 in 0.1..=10.0;
    /// Weight of the policy network for amazon's moves. The log-odds of two moves before their first visit differ by
    /// `policy_spread` times the difference that the policy network predicts.
    policy_spread = 0.44 in 0.0..=5.0;
    /// Weight of the policy network for arrow shots. The offset of a shot is this weight times the network's logit for
    /// the shot. The offset is added to the static evaluation of the position after the shot (log-odds).
    arrow_policy_offset = 0.64 in 0.0..=5.0;
    /// Softmax temperature for arrow shots. The prior probabilities of a node's edges are softmax(logits /
    /// temperature). The logits are the edges' estimates: log-odds that the side to move wins. A higher temperature
    /// makes the priors more equal.
    temperature_arrow = 0.64 in 0.1..=10.0;
}
