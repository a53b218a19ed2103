//! Time source that reads the clocks of the operating system, or of the web page if the engine runs in a browser.

use super::TimeSource;
#[cfg(target_arch = "wasm32")]
use page::Instant;
use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

/// Time source that reads the clocks of the operating system, or that of the web page if the engine runs in a browser.
/// Wall time counts from the creation of this value.
#[derive(Clone, Copy, Debug)]
pub struct SystemTime {
    origin: Instant,
}

impl Default for SystemTime {
    fn default() -> SystemTime {
        SystemTime {
            origin: Instant::now(),
        }
    }
}

impl TimeSource for SystemTime {
    fn wall(self) -> Duration {
        self.origin.elapsed()
    }

    #[cfg(target_os = "linux")]
    fn cpu(self) -> Duration {
        // Declares the function `clock` of C, because Rust's standard library cannot read CPU time. It is declared
        // `safe` because it takes no arguments and returns a number: the time in microseconds on Linux, in other units
        // on some other systems.
        #[allow(unsafe_code)]
        unsafe extern "C" {
            safe fn clock() -> std::ffi::c_long;
        }
        Duration::from_micros(u64::try_from(clock()).unwrap_or(0))
    }

    #[cfg(not(target_os = "linux"))]
    fn cpu(self) -> Duration {
        Duration::ZERO
    }
}

/// Replacement for `std::time::Instant`, which does not work in browsers. Reads the clock of the web page.
#[cfg(target_arch = "wasm32")]
mod page {
    use std::time::Duration;

    // The function is imported from the web page. It is declared `safe` because it takes no arguments and returns a
    // number.
    #[allow(unsafe_code)]
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Returns the number of milliseconds since the page was opened, fractions included.
        safe fn now() -> f64;
    }

    /// A moment, stored as the time from the opening of the web page to this moment.
    #[derive(Clone, Copy, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
        }

        pub fn elapsed(self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }
    }
}
