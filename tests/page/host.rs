//! Tests the hosted page: installation, offline use, and pictures for link previews.

use super::view::{click_move, wait_for_moves};
use super::{WASM, browser, built, hosted};
use crate::common::browser::Window;
use crate::common::needs;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

/// Serves the folder on a local port until [`END`] is requested; returns the address.
fn serve() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it listens");
    thread::spawn(move || {
        // Errors are ignored: a client may close its connection early.
        let mut answered = listener.incoming().map(|client| client.and_then(answer));
        answered.any(|path| path.is_ok_and(|path| path == END));
    });
    address
}

/// Path whose request stops the server.
const END: &str = "/end";

/// Answers one request with a file of the folder; returns the requested path.
fn answer(mut client: TcpStream) -> std::io::Result<String> {
    let mut lines = BufReader::new(client.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    // Reads the rest of the request; otherwise the connection would be reset.
    let _ = lines.find(|line| line.as_ref().map_or(true, String::is_empty));
    let path = first.split([' ', '?']).nth(1).unwrap_or_default();
    let name = if path == "/" { "/index.html" } else { path };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        _ => "application/octet-stream",
    };
    let content = fs::read(hosted().join(name.trim_start_matches('/')));
    let status = if content.is_ok() {
        "200 OK"
    } else {
        "404 Not Found"
    };
    let content = content.unwrap_or_default();
    let length = content.len();
    write!(
        client,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    client.write_all(&content)?;
    Ok(path.to_owned())
}

#[test]
fn hosted_page_is_installable_and_works_offline() {
    let Some(browser) = browser() else { return };
    built();
    let host = serve();
    let home = format!("http://{host}/");
    let page = browser.open(&home, "?memory=64", Window::PHONE);
    page.wait_for("navigator.serviceWorker.ready.then(() => true)");
    let errors = page.command("Page.getInstallabilityErrors", json!({}));
    let errors = errors["installabilityErrors"].as_array().expect("a list");
    // The tests' browser context counts as incognito, where no page can be installed.
    let others = errors
        .iter()
        .filter(|error| error["errorId"] != "in-incognito");
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&Value>::new());
    let mut end = TcpStream::connect(host).expect("the host listens");
    write!(end, "GET {END} HTTP/1.1\r\n\r\n").expect("it reads");
    end.read_to_end(&mut Vec::new()).expect("it answers");
    page.reload();
    click_move(&page, "c1 c6 f6");
    wait_for_moves(&page, 2);
    // The only faults are requests to the page's own host.
    for fault in page.take_faults() {
        assert!(fault.starts_with(&format!("request: {home}")), "{fault}");
    }
}

#[test]
fn hosted_page_has_a_preview_picture() {
    if !needs::target(WASM) {
        return;
    }
    built();
    let page = fs::read_to_string(hosted().join("index.html")).expect("the page");
    let image = "<meta property=\"og:image\" content=\"https://example.org/amazons/preview.png\">";
    assert!(page.contains(image));
    for (name, sides) in [
        ("preview", [1200, 630]),
        ("icon-192", [192, 192]),
        ("icon-512", [512, 512]),
    ] {
        let picture = fs::read(hosted().join(format!("{name}.png"))).expect("a picture");
        let sides = sides.map(u32::to_be_bytes).concat();
        assert_eq!(picture[16..24], sides, "{name}");
        assert!(picture.len() < 60_000, "{name}: {}", picture.len());
    }
}
