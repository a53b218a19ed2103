//! The language that a tool speaks: the one asked for, or the user's own.

use clap::ValueEnum;

/// A language that tools speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// English
    En,
    /// 中文
    Zh,
}

impl Language {
    /// The language of the user's environment; English, if it is none of those here.
    #[must_use]
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(variable)
            .find(|value| !value.is_empty());
        match locale {
            Some(locale) if locale.to_lowercase().starts_with("zh") => Language::Zh,
            _ => Language::En,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_says_something_decides() {
        let language = |all: &str, messages: &str, lang: &str| {
            Language::of_environment(|name| {
                Some(match name {
                    "LC_ALL" => all.to_owned(),
                    "LC_MESSAGES" => messages.to_owned(),
                    _ => lang.to_owned(),
                })
            })
        };
        assert_eq!(language("", "", "zh_CN.UTF-8"), Language::Zh);
        assert_eq!(language("C", "", "zh_CN.UTF-8"), Language::En);
        assert_eq!(language("", "zh_TW", "en_GB"), Language::Zh);
        assert_eq!(language("", "", ""), Language::En);
    }
}
