//! The folder for a host: the page, and what lets a browser install it, open it without a network, and show a picture beside a
//! link to it.

use super::{Engine, OURS, Place, is_ours, page_at, seal};
use base::error::ToolError;
use base::files::Target;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// The page's name there: what a host shows for a folder.
const INDEX: &str = "index.html";

/// Name of the file that tells a browser how to install the page.
const MANIFEST: &str = "manifest.webmanifest";

/// Name of the picture that sites show beside a link, the start of a game, 1200×630 pixels as they ask.
const PREVIEW: &str = "preview.png";

/// What the files beside the page are called that are replaced.
const BESIDE: &str = "a file beside a page that amazons wrote";

/// What the page is, in a sentence.
const ABOUT: &str =
    "The Game of the Amazons: play against the bot, study games with it, learn from your mistakes.";

/// The worker that answers where there is no network.
const OFFLINE: &str = include_str!("../web/offline.js");

/// Names of the icons, and their sides in pixels. All that matters lies within the middle, in any shape that a telephone cuts out.
const ICONS: [(&str, usize); 2] = [("icon-192.png", 192), ("icon-512.png", 512)];

/// All pictures by name. None is drawn by code: whoever changes one draws it anew.
const PICTURES: [(&str, &[u8]); 3] = [
    (PREVIEW, include_bytes!("host/preview.png")),
    (ICONS[0].0, include_bytes!("host/icon-192.png")),
    (ICONS[1].0, include_bytes!("host/icon-512.png")),
];

/// Writes the folder. `address` is where it will be found, if that is known: pictures beside links need it.
///
/// # Errors
/// If the folder holds a page or files that are not ours, or something in it can't be written.
pub fn write(folder: &Path, address: Option<&str>, engine: &Engine) -> Result<(), ToolError> {
    let place = Place {
        sources: "worker-src blob: 'self'; img-src data: 'self'; manifest-src 'self'",
        head: head(address),
    };
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let was_ours = folder.join(INDEX).exists();
    let index = Target::replacing(&folder.join(INDEX), OURS, is_ours)?;
    let page = page_at(&place, &[], engine)?;
    let mut files = PICTURES.map(|(name, png)| (name, png.to_vec())).to_vec();
    files.push((MANIFEST, format!("{:#}\n", manifest()).into_bytes()));
    let offline = OFFLINE.replacen("{checksum}", &seal::checksum(&page), 1);
    files.push(("offline.js", offline.into_bytes()));
    // Beside a page of ours lie files of ours; elsewhere all are somebody's.
    let target = |name: &str| Target::replacing(&folder.join(name), BESIDE, |_| was_ours);
    let targets = files.iter().map(|(name, _)| target(name));
    let targets: Vec<Target> = targets.collect::<Result<_, _>>()?;
    // The page first: what is broken off behind it may be begun again.
    index.write(page.as_bytes())?;
    for (target, (_, content)) in targets.into_iter().zip(&files) {
        target.write(content)?;
    }
    Ok(())
}

/// What the page's head tells browsers and those who show links. Without an address no site finds the picture.
fn head(address: Option<&str>) -> String {
    let [(small, _), (large, _)] = ICONS;
    let mut lines = vec![
        format!("<link rel=\"icon\" href=\"{small}\">"),
        format!("<link rel=\"apple-touch-icon\" href=\"{large}\">"),
        format!("<link rel=\"manifest\" href=\"{MANIFEST}\">"),
        "<meta name=\"theme-color\" content=\"#1f6f5c\">".to_owned(),
        format!("<meta name=\"description\" content=\"{ABOUT}\">"),
    ];
    let address = address.map(|address| escaped(address.trim_end_matches('/')));
    let told = address.map(|address| {
        [
            ("type", "website".to_owned()),
            ("title", "Amazons".to_owned()),
            ("description", ABOUT.to_owned()),
            ("url", format!("{address}/")),
            ("image", format!("{address}/{PREVIEW}")),
        ]
    });
    for (name, content) in told.into_iter().flatten() {
        lines.push(format!(
            "<meta property=\"og:{name}\" content=\"{content}\">"
        ));
    }
    lines.join("\n")
}

/// A text as it stands in an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}

/// What an installed page is called, and how it is opened.
fn manifest() -> Value {
    let icon = |(name, side): (&str, usize)| json!({ "src": name, "sizes": format!("{side}x{side}"), "type": "image/png", "purpose": "any maskable" });
    json!({
        "name": "Amazons",
        "short_name": "Amazons",
        "description": ABOUT,
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f4f1ea",
        "theme_color": "#1f6f5c",
        "icons": ICONS.map(icon),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_others_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let icon = folder.path().join("icon-192.png");
        fs::write(&icon, "a picture").expect("written");
        let engine = Engine::none();
        let refused = write(folder.path(), None, &engine).expect_err("not ours");
        assert!(refused.to_string().contains("icon-192.png"), "{refused}");
        assert_eq!(fs::read(&icon).expect("still there"), b"a picture");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        fs::remove_file(&icon).expect("removed");
        for _ in 0..2 {
            write(folder.path(), None, &engine).expect("all is ours");
        }
    }
}
