//! A pseudo-terminal.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Opens a pseudo-terminal. Returns the user's end (master) and the program's end (slave).
pub fn terminal() -> (File, File) {
    // If another program inherited the master, the terminal would never hang up.
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let master = openpt(flags).expect("a terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let path = Path::new(OsStr::from_bytes(name.as_bytes()));
    let slave = File::options().read(true).write(true).open(path);
    (master.into(), slave.expect("opened"))
}
