//! The user's secret URL: where it comes from, and what is asked at it. Whoever has it plays as the user, so it shows
//! itself nowhere: no `Debug`, no `Display`, and no message that quotes it.

use crate::tools::platform::address::Origin;
use crate::tools::support::error::ToolError;
use crate::tools::system::{self, Quiet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

/// The variable of the environment that may hold the URL.
pub const VARIABLE: &str = "AMAZONS_BOTZONE_URL";

/// The form of the URL.
const EXPECTED: &str =
    "expected https://HOST/api/USER_ID/SECRET/localai, as one's account page on Botzone shows it";

/// A way into a user's account.
pub struct Account {
    /// The server.
    pub origin: Origin,
    /// The path up to its last part.
    folder: String,
}

impl Account {
    /// Reads the URL from a file, else from the environment, else from the terminal.
    ///
    /// # Errors
    /// If there is none, or it has another form.
    pub fn find(file: Option<&Path>) -> Result<Account, ToolError> {
        if let Some(file) = file {
            let name = file.display();
            let text = fs::read_to_string(file)
                .map_err(|error| format!("{name}: {error}; expected a file with the URL"))?;
            return Ok(Account::read(&text).map_err(|error| format!("{name}: {error}"))?);
        }
        if let Ok(text) = std::env::var(VARIABLE) {
            return Ok(Account::read(&text).map_err(|error| format!("{VARIABLE}: {error}"))?);
        }
        Ok(Account::read(&ask()?)?)
    }

    /// Reads the URL.
    ///
    /// # Errors
    /// If it has another form; the message doesn't quote it.
    pub fn read(text: &str) -> Result<Account, String> {
        let fault = |why: &str| format!("the URL is not one of the local AI ({why}); {EXPECTED}");
        let text = text.trim();
        if text.is_empty() {
            return Err(fault("it is empty"));
        }
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"?#\\\"".contains(&byte);
        if !text.bytes().all(is_plain) {
            return Err(fault("it holds blanks or signs that belong in no path"));
        }
        let (origin, path) = Origin::split(text).map_err(fault)?;
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts[..] {
            ["api", user, secret] | ["api", user, secret, _] => Ok(Account {
                origin,
                folder: format!("/api/{user}/{secret}/"),
            }),
            _ => Err(fault("its path is another")),
        }
    }

    /// The path of something to ask. It holds the secret.
    pub(super) fn path(&self, what: &str) -> String {
        format!("{}{what}", self.folder)
    }

    /// A foreign text without the secret, should it repeat it.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        let parts = self.folder.split('/').skip(2);
        parts
            .filter(|part| !part.is_empty())
            .fold(text.to_owned(), |text, part| text.replace(part, "…"))
    }
}

/// Asks for the URL at the terminal, without echo.
fn ask() -> Result<String, ToolError> {
    let no_terminal =
        |_| format!("no URL and no terminal to ask for it: expected --url-file FILE or {VARIABLE}");
    let (input, mut terminal) = system::terminal().map_err(no_terminal)?;
    // Before the prompt: nothing that follows it is shown.
    let _quiet = Quiet::new(&input).map_err(no_terminal)?;
    terminal.write_all("Botzone URL (…/localai): ".as_bytes())?;
    let mut line = String::new();
    let read = BufReader::new(&input).read_line(&mut line);
    terminal.write_all(b"\n")?;
    read?;
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789secret";

    /// An account has no `Debug` that `expect` could use.
    fn good(url: &str) -> Account {
        match Account::read(url) {
            Ok(account) => account,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn other_urls_are_made_of_the_one_on_the_account_page() {
        for end in ["localai", "runmatch", "", "/"] {
            let url = format!(" https://www.botzone.org.cn/api/user/{SECRET}/{end}\n");
            let account = good(&url);
            assert_eq!(
                account.path("abortmatch"),
                format!("/api/user/{SECRET}/abortmatch")
            );
            assert_eq!(account.origin.to_string(), "https://www.botzone.org.cn");
        }
    }

    #[test]
    fn a_message_never_quotes_the_secret() {
        for url in [
            String::new(),
            SECRET.to_owned(),
            format!("http://www.botzone.org.cn/api/user/{SECRET}/localai"),
            format!("https://www.botzone.org.cn/{SECRET}/localai"),
            format!("https://www.botzone.org.cn/api/user/{SECRET}/localai/more"),
            format!("https://www.botzone.org.cn/api/us er/{SECRET}/localai"),
            format!("https://www.botzone.org.cn/api/user/{SECRET}/localai?x=1"),
            format!("https://{SECRET}@www.botzone.org.cn/api/user/x/localai"),
        ] {
            let error = Account::read(&url).err().expect("refused");
            assert!(!error.contains(SECRET), "{error}");
            assert!(error.ends_with(EXPECTED), "{error}");
        }
        let url = format!("https://h/api/user7/{SECRET}/localai");
        let account = good(&url);
        let scrubbed = account.scrub(&format!("Cannot GET /api/user7/{SECRET}/localai"));
        assert_eq!(scrubbed, "Cannot GET /api/…/…/localai");
    }
}
