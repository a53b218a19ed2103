//! The system's time: of the operating system, or of the page where the engine runs in a browser.

use super::TimeSource;
#[cfg(target_arch = "wasm32")]
use page::Instant;
use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

/// The system's time.
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
        // The standard library has no CPU clock. C's `clock` takes nothing and returns a number, so only its
        // declaration is unsafe. The unit is a microsecond on Linux; other systems have other units.
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

/// The clock of the page: the standard library has none for a browser.
#[cfg(target_arch = "wasm32")]
mod page {
    use std::time::Duration;

    // The function takes nothing and returns a number, so only its declaration is unsafe.
    #[allow(unsafe_code)]
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Milliseconds since the page was opened.
        safe fn now() -> f64;
    }

    /// A moment on the page's clock.
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
