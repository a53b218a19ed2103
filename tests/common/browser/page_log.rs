//! Log of a page's events. Everything that a page must not do is recorded as a fault, which fails the test.

use super::text_of;
use serde_json::Value;

/// Events of a page and its workers so far.
#[derive(Default)]
pub struct PageLog {
    /// Faults in the order of their events.
    pub faults: Vec<String>,
    /// Id of the page's main frame.
    pub frame: String,
    /// Id of the document that has loaded last in the main frame.
    pub loaded: String,
    pub downloads: Vec<Download>,
}

/// A file that the page saves as a download.
pub struct Download {
    /// File name on disk.
    pub id: String,
    /// File name that the page suggests.
    pub name: String,
    pub is_whole: bool,
}

impl PageLog {
    /// Records an event.
    pub fn add_event(&mut self, method: &str, params: &Value) {
        match method {
            "Runtime.consoleAPICalled" => self.add_console(params),
            "Runtime.exceptionThrown" => {
                let text = exception(&params["exceptionDetails"]);
                self.faults.push(format!("exception: {text}"));
            }
            "Log.entryAdded" => self.add_log(&params["entry"]),
            "Network.requestWillBeSent" => self.add_request(params),
            "Network.webSocketCreated" | "Network.webTransportCreated" | "Page.windowOpen" => {
                self.faults
                    .push(format!("{method}: {}", text_of(&params["url"])));
            }
            "Page.javascriptDialogOpening" => {
                self.faults
                    .push(format!("dialog: {}", text_of(&params["message"])));
            }
            "Page.lifecycleEvent"
                if params["frameId"] == self.frame.as_str() && params["name"] == "load" =>
            {
                self.loaded = text_of(&params["loaderId"]);
            }
            "Inspector.targetCrashed" => self.faults.push("the page has crashed".into()),
            "Browser.downloadWillBegin" if params["frameId"] == self.frame.as_str() => {
                self.downloads.push(Download {
                    id: text_of(&params["guid"]),
                    name: text_of(&params["suggestedFilename"]),
                    is_whole: false,
                });
            }
            "Browser.downloadProgress" => self.add_download(params),
            _ => {}
        }
    }

    fn add_console(&mut self, params: &Value) {
        let kind = text_of(&params["type"]);
        if ["error", "warning", "assert"].contains(&kind.as_str()) {
            let words = params["args"].as_array().into_iter().flatten().map(shown);
            let text = words.collect::<Vec<_>>().join(" ");
            self.faults.push(format!("console {kind}: {text}"));
        }
    }

    /// Records warnings and errors, also violations of the content security policy and failed loads.
    fn add_log(&mut self, entry: &Value) {
        if entry["level"] == "error" || entry["level"] == "warning" {
            let [level, text, url] = ["level", "text", "url"].map(|key| text_of(&entry[key]));
            self.faults.push(format!("log {level}: {text} {url}"));
        }
    }

    /// Records requests beyond the page's own file, which contains everything.
    fn add_request(&mut self, params: &Value) {
        let url = text_of(&params["request"]["url"]);
        let is_inside = ["data:", "blob:", "about:"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        let is_file = url.starts_with("file:") && params["type"] == "Document";
        if !is_inside && !is_file {
            self.faults.push(format!("request: {url}"));
        }
    }

    fn add_download(&mut self, params: &Value) {
        let id = text_of(&params["guid"]);
        let Some(download) = self.downloads.iter_mut().find(|download| download.id == id) else {
            return;
        };
        download.is_whole = params["state"] == "completed";
        if params["state"] == "canceled" {
            self.faults
                .push(format!("download cancelled: {}", download.name));
        }
    }
}

/// Returns the text of an exception.
pub fn exception(details: &Value) -> String {
    let text = text_of(&details["text"]);
    match &details["exception"] {
        Value::Null => text,
        thrown => format!("{text} {}", shown(thrown)),
    }
}

/// Formats a JavaScript value as the console shows it.
fn shown(value: &Value) -> String {
    match &value["value"] {
        Value::String(text) => text.clone(),
        Value::Null => text_of(&value["description"]),
        other => other.to_string(),
    }
}
