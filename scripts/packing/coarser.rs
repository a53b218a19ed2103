// Replaces `main` in the single Rust file of the bot. Writes the texts of its value network and its policy network,
// with weights divided by a number and rounded. Arguments: the divisor for each network; the folder.

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [value_step, policy_step] = [0, 1].map(|at| arguments[at].parse().expect("a number"));
    let folder = std::path::Path::new(&arguments[2]);

    let mut value = eval::value::parse(eval::value::WEIGHTS).expect("compiled in");
    // The rows for squares that amazons reach in two moves stay as they are: their weights are small, and each is added
    // several times.
    let amazons = &mut value.amazons[..eval::value::amazons::FIRST_REACH_ROW];
    for row in value.rows.iter_mut().chain(&mut value.patterns).chain(amazons) {
        divide(row, value_step);
    }
    std::fs::write(folder.join("value.txt"), eval::value::write("", value))?;

    let mut policy = eval::policy::parse(eval::policy::WEIGHTS).expect("compiled in");
    policy.rows.iter_mut().for_each(|row| divide(row, policy_step));
    std::fs::write(folder.join("policy.txt"), eval::policy::write("", policy))
}

/// Divides weights and rounds them to the nearest number, halves away from zero.
fn divide(weights: &mut [i16], step: i16) {
    for weight in weights {
        *weight = (weight.abs() + step / 2) / step * weight.signum();
    }
}
