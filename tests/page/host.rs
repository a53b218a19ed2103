//! The page on a host: what browsers need to install it, the picture beside links, and a game without a network.

use super::seen::{click_move, wait_for_moves};
use super::{Site, hosted};
use crate::common::browser::Window;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// A host of the folder on this machine, until it is dropped.
struct Host {
    address: SocketAddr,
    is_over: Arc<AtomicBool>,
    server: Option<JoinHandle<()>>,
}

impl Host {
    fn start() -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let is_over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_over);
        let server = thread::spawn(move || {
            for visitor in listener.incoming() {
                if seen.load(Ordering::Relaxed) {
                    return;
                }
                // Whoever goes before the answer is none of ours.
                let _ = visitor.and_then(answer);
            }
        });
        Host {
            address,
            is_over,
            server: Some(server),
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
        self.server.take().map(JoinHandle::join);
    }
}

/// Answers one request with a file of the folder.
fn answer(mut visitor: TcpStream) -> std::io::Result<()> {
    let mut lines = BufReader::new(visitor.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    // The rest of the request is read, so that nobody is cut off.
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    let path = first.split(' ').nth(1).unwrap_or_default();
    let name = path
        .split('?')
        .next()
        .unwrap_or_default()
        .trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("png") => "image/png",
        _ => "application/manifest+json",
    };
    let (status, content) = match fs::read(hosted().join(name)) {
        Ok(content) => ("200 OK", content),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = content.len();
    write!(
        visitor,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    visitor.write_all(&content)
}

#[test]
fn a_page_of_a_host_can_be_installed_and_plays_without_a_network() {
    let Some(site) = Site::start() else { return };
    let host = Host::start();
    let home = format!("http://{}/", host.address);
    let page = site
        .browser
        .open_address(&format!("{home}?memory=64"), Window::PHONE);
    page.wait_for("navigator.serviceWorker.ready.then(() => true)");
    let errors = page.command("Page.getInstallabilityErrors", json!({}));
    let errors = errors["installabilityErrors"].as_array().expect("a list");
    // A browser of the tests is as one without a trace: nothing is installed there, whatever the page is.
    let others = errors
        .iter()
        .filter(|error| error["errorId"] != "in-incognito");
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&Value>::new());
    drop(host);
    page.reload();
    click_move(&page, "c1 c6 f6");
    wait_for_moves(&page, 2);
    // Nothing went wrong but that the page asked its own host.
    for fault in page.take_faults() {
        assert!(fault.starts_with(&format!("request: {home}")), "{fault}");
    }
}

#[test]
fn a_link_to_a_host_has_a_picture() {
    if Site::start().is_none() {
        return;
    }
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
