//! The watch over a page: everything that a page without faults does not do is written down, and a fault of the test.

use super::text_of;
use serde_json::Value;

/// What was seen of a page and its workers.
#[derive(Default)]
pub struct Record {
    /// What went wrong, in order.
    pub faults: Vec<String>,
    /// The page's main frame.
    pub frame: String,
    /// The document that has loaded last in the main frame.
    pub loaded: String,
    pub downloads: Vec<Download>,
}

/// A file that the page has the browser save.
pub struct Download {
    /// Its name on the disk.
    pub id: String,
    /// The name that the page gives it.
    pub name: String,
    pub is_whole: bool,
}

impl Record {
    /// Takes an event in.
    pub fn see(&mut self, method: &str, params: &Value) {
        match method {
            "Runtime.consoleAPICalled" => self.see_console(params),
            "Runtime.exceptionThrown" => {
                let text = exception(&params["exceptionDetails"]);
                self.faults.push(format!("exception: {text}"));
            }
            "Log.entryAdded" => self.see_log(&params["entry"]),
            "Network.requestWillBeSent" => self.see_request(params),
            "Network.webSocketCreated" | "ValueNetwork.webTransportCreated" | "Page.windowOpen" => {
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
            "Browser.downloadProgress" => self.see_download(params),
            _ => {}
        }
    }

    fn see_console(&mut self, params: &Value) {
        let kind = text_of(&params["type"]);
        if ["error", "warning", "assert"].contains(&kind.as_str()) {
            let words = params["args"].as_array().into_iter().flatten().map(shown);
            let text = words.collect::<Vec<_>>().join(" ");
            self.faults.push(format!("console {kind}: {text}"));
        }
    }

    /// Violations of the content security policy and failed loads are among these.
    fn see_log(&mut self, entry: &Value) {
        if entry["level"] == "error" || entry["level"] == "warning" {
            let [level, text, url] = ["level", "text", "url"].map(|key| text_of(&entry[key]));
            self.faults.push(format!("log {level}: {text} {url}"));
        }
    }

    /// The page is one file: beside documents, everything it loads is in it.
    fn see_request(&mut self, params: &Value) {
        let url = text_of(&params["request"]["url"]);
        let is_inside = ["data:", "blob:", "about:"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        let is_file = url.starts_with("file:") && params["type"] == "Document";
        if !is_inside && !is_file {
            self.faults.push(format!("request: {url}"));
        }
    }

    fn see_download(&mut self, params: &Value) {
        let id = text_of(&params["guid"]);
        let Some(download) = self.downloads.iter_mut().find(|download| download.id == id) else {
            return;
        };
        download.is_whole = params["state"] == "completed";
        if params["state"] == "canceled" {
            self.faults
                .push(format!("download broken off: {}", download.name));
        }
    }
}

/// The text of an exception.
pub fn exception(details: &Value) -> String {
    let text = text_of(&details["text"]);
    match &details["exception"] {
        Value::Null => text,
        thrown => format!("{text} {}", shown(thrown)),
    }
}

/// A value in a page as its console shows it.
fn shown(value: &Value) -> String {
    match &value["value"] {
        Value::String(text) => text.clone(),
        Value::Null => text_of(&value["description"]),
        other => other.to_string(),
    }
}
