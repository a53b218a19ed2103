//! Writes a folder for a static web host: the page, its service worker for offline use, a web app manifest, icons, and
//! the picture for link previews.

use super::{PageEngine, PageVariant, UNMODIFIED_PAGE, is_unmodified, page_with, seal};
use base::error::Result;
use base::files::OutputFile;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// File name of the page; a web host serves `index.html` for the address of a folder.
const INDEX: &str = "index.html";

/// File name of the web app manifest, which tells browsers how to install the page.
const MANIFEST: &str = "manifest.webmanifest";

/// File name of the picture that sites show next to a link to the page; 1200×630 pixels, the size that most sites
/// expect.
const PREVIEW: &str = "preview.png";

/// Part of the error message that refuses to replace a file in the output folder: what the file was expected to be. A
/// file is replaced in two cases. Either it is empty, or the folder already contained an unmodified page that this
/// program wrote.
const REPLACEABLE_FILE: &str = "a file beside a page that amazons wrote";

/// Description of the page in one sentence, for the web app manifest and for link previews.
const DESCRIPTION: &str =
    "The Game of the Amazons: play against the bot, study games with it, learn from your mistakes.";

/// Script of the service worker, which stores the page in the browser's cache for offline use. [`write()`] replaces
/// `{checksum}` by the page's checksum, so that a changed page gets a new cache.
const SERVICE_WORKER: &str = include_str!("../web/offline.js");

/// Icons of the web app as pairs. First: file name. Second: side length in pixels. Phones crop icons; the subject of
/// these pictures is therefore near the centre.
const ICONS: [(&str, usize); 2] = [("icon-192.png", 192), ("icon-512.png", 512)];

/// All pictures in the folder for a web host as pairs. First: file name. Second: content of the PNG file. No script
/// generates the pictures: to change one, replace its file.
const PICTURES: [(&str, &[u8]); 3] = [
    (PREVIEW, include_bytes!("host/preview.png")),
    (ICONS[0].0, include_bytes!("host/icon-192.png")),
    (ICONS[1].0, include_bytes!("host/icon-512.png")),
];

/// Writes a folder for a static web host: the page with the engine `engine`, its service worker, its web app manifest
/// and its pictures. `address` is the public URL of `folder`, for link previews. If it is `None`, the page has no data
/// for link previews.
///
/// # Errors
/// - If `folder` contains an `index.html` that this program did not write or that somebody has changed.
/// - If `folder` contains no `index.html`, but one of the other files to write already exists and is not empty.
/// - If `folder` can't be created or a file can't be written.
pub fn write(folder: &Path, address: Option<&str>, engine: &PageEngine) -> Result<()> {
    let variant = PageVariant {
        csp_sources: "worker-src blob: 'self'; img-src data: 'self'; manifest-src 'self'",
        head: head(address),
    };
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let was_ours = folder.join(INDEX).exists();
    let index = OutputFile::replacing_if(&folder.join(INDEX), UNMODIFIED_PAGE, is_unmodified)?;
    let page = page_with(&variant, &[], engine)?;
    let mut files = PICTURES.map(|(name, png)| (name, png.to_vec())).to_vec();
    files.push((MANIFEST, format!("{:#}\n", manifest()).into_bytes()));
    let offline = SERVICE_WORKER.replacen("{checksum}", &seal::checksum(&page), 1);
    files.push(("offline.js", offline.into_bytes()));
    // An existing file may be replaced only if `folder` contained a page of this program before this run. Otherwise the
    // file may be the user's.
    let target =
        |name: &str| OutputFile::replacing_if(&folder.join(name), REPLACEABLE_FILE, |_| was_ours);
    let targets = files.iter().map(|(name, _)| target(name));
    let targets: Vec<OutputFile> = targets.collect::<Result<_, _>>()?;
    // The page is written first. If a later write fails, the next run finds the program's own page in the folder and
    // may therefore replace the other files.
    index.write(page.as_bytes())?;
    for (target, (_, content)) in targets.into_iter().zip(&files) {
        target.write(content)?;
    }
    Ok(())
}

/// Returns elements for the HTML head: icons, manifest, description, and Open Graph data for link previews. `address`
/// is the page's public URL; if it is `None`, there are no Open Graph data.
fn head(address: Option<&str>) -> String {
    let [(small, _), (large, _)] = ICONS;
    let mut lines = vec![
        format!("<link rel=\"icon\" href=\"{small}\">"),
        format!("<link rel=\"apple-touch-icon\" href=\"{large}\">"),
        format!("<link rel=\"manifest\" href=\"{MANIFEST}\">"),
        "<meta name=\"theme-color\" content=\"#1f6f5c\">".to_owned(),
        format!("<meta name=\"description\" content=\"{DESCRIPTION}\">"),
    ];
    let address = address.map(|address| escape_attribute(address.trim_end_matches('/')));
    let open_graph = address.map(|address| {
        [
            ("type", "website".to_owned()),
            ("title", "Amazons".to_owned()),
            ("description", DESCRIPTION.to_owned()),
            ("url", format!("{address}/")),
            ("image", format!("{address}/{PREVIEW}")),
        ]
    });
    for (name, content) in open_graph.into_iter().flatten() {
        lines.push(format!(
            "<meta property=\"og:{name}\" content=\"{content}\">"
        ));
    }
    lines.join("\n")
}

/// Escapes `&`, `"` and `<`, so that `text` can be used in a double-quoted HTML attribute.
fn escape_attribute(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}

/// Returns the web app manifest: the installed page's name, icons, colours and start URL.
fn manifest() -> Value {
    let icon = |(name, side): (&str, usize)| json!({ "src": name, "sizes": format!("{side}x{side}"), "type": "image/png", "purpose": "any maskable" });
    json!({
        "name": "Amazons",
        "short_name": "Amazons",
        "description": DESCRIPTION,
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
    fn foreign_files_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let icon = folder.path().join("icon-192.png");
        fs::write(&icon, "a picture").expect("written");
        let engine = PageEngine::none();
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
