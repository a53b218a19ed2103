//! The backward pass through a hidden unit, a clipped squared ReLU: clamped to 0 to 1, then squared.
//!
//! Its true gradient is 0 beyond the limits, and nearly so just above 0. A unit there would stop learning, and many end
//! there for every position. So the backward pass uses a surrogate gradient. Its size falls to 0 with the learning rate.

/// How large the surrogate gradient is at the start of a training.
pub const SURROGATE: f32 = 0.1;

/// The derivative of the square within the limits, at least that of a unit of `surrogate`.
#[inline(always)]
#[must_use]
pub fn derivative(unit: f32, surrogate: f32) -> f32 {
    2.0 * unit.clamp(0.0, 1.0).max(surrogate)
}

/// The gradient in a unit, from that by the [`derivative`]. Beyond the limits the share `surrogate` of it passes if a step
/// against it leads back within them, else nothing.
#[inline(always)]
#[must_use]
pub fn clipped(unit: f32, gradient: f32, surrogate: f32) -> f32 {
    let leads_back = gradient * (unit - 0.5) > 0.0;
    let beyond = if leads_back { surrogate } else { 0.0 };
    let is_within = unit > 0.0 && unit < 1.0;
    gradient * if is_within { 1.0 } else { beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_limits_only_what_leads_back_passes() {
        for (unit, surrogate, expected) in [
            (0.4, 0.1, [-0.4, 0.4]),
            (0.01, 0.1, [-0.1, 0.1]),
            (1.5, 0.1, [0.0, 0.1]),
            (-0.5, 0.1, [-0.1 * 0.1, 0.0]),
            (1.5, 0.0, [0.0, 0.0]),
            (-0.5, 0.0, [0.0, 0.0]),
        ] {
            let found = [-0.5, 0.5].map(|gradient| {
                let gradient = derivative(unit, surrogate) * gradient;
                clipped(unit, gradient, surrogate)
            });
            assert_eq!(found, expected, "{unit}");
        }
    }
}
