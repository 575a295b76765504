//! How does a test drive a browser? Chromium through chromedriver's HTTP, with nothing but the standard library.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{LIMIT, Scratch, end_all, until};

/// A browser with one window; it goes with the value.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// Where it has its profile and all else that it writes.
    files: Scratch,
}

impl Browser {
    /// A headless browser of this width; `None`, said loudly, where there is none.
    pub(crate) fn start(name: &str, width: u32, dark: bool) -> Option<Self> {
        let chromium =
            ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|program| runs(program));
        let (Some(chromium), true) = (chromium, runs("chromedriver")) else {
            let required = std::env::var_os("FENCEPOST_REQUIRE_TOOLS").is_some_and(|value| value == "1");
            assert!(
                !required,
                "chromium and chromedriver are required (apt-get install chromium chromium-driver)"
            );
            println!(
                "SKIPPED: chromium and chromedriver are not installed; the report was not opened in a browser"
            );
            eprintln!(
                "SKIPPED: chromium and chromedriver are not installed; the report was not opened in a browser"
            );
            return None;
        };
        let files = Scratch::new(&format!("browser-{name}"));
        let mut driver = Command::new("chromedriver")
            .args(["--port=0"])
            // Chromium leaves directories there when it is ended.
            .env("TMPDIR", files.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .stdin(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut lines = BufReader::new(driver.stdout.take().expect("piped")).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.rsplit_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
            })
            .expect("chromedriver says its port");
        // It goes on writing, and must not be stopped by a full pipe.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let mut browser = Self { driver, port, session: String::new(), files };
        let mut arguments: Vec<String> = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", browser.files.join("profile").display()));
        arguments.push(format!("--window-size={width},900"));
        if dark {
            arguments.push("--blink-settings=preferredColorScheme=0".to_owned());
        }
        let options = json!({"binary": path_of(chromium), "args": arguments});
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        });
        let made = browser.call("POST", "/session", &json!({"capabilities": {"alwaysMatch": capabilities}}));
        browser.session =
            made["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {made}")).to_owned();
        // The browser's own first page is nobody's business here.
        browser.open("about:blank");
        browser.log("performance");
        browser.log("browser");
        Some(browser)
    }

    /// The driver may answer before the page has come and its script has run, which takes a slow machine a while for a large one.
    pub(crate) fn open(&self, url: &str) {
        // The page before it may have the same address.
        self.run("window.left = true");
        self.session_call("POST", "/url", &json!({"url": url}));
        self.sees(
            "return [window.left, location.href, document.readyState]",
            &json!([Value::Null, url, "complete"]),
        );
    }

    /// The script comes to return this. A person waits too: scrolling, links and whatever a page puts off take effect a little later.
    pub(crate) fn sees(&self, script: &str, expected: &Value) {
        until(&format!("{script}\n returns {expected}"), || self.run(script) == *expected);
    }

    /// What the script returns now.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.session_call("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Shows the page as a screen of this width does, light or dark; no window can be as narrow as a telephone.
    pub(crate) fn screen(&self, width: u64, theme: &str) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.chrome("Emulation.setDeviceMetricsOverride", &size);
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        self.chrome("Emulation.setEmulatedMedia", &features);
    }

    /// Shows the page as paper of this width does.
    pub(crate) fn paper(&self, width: u64) {
        self.screen(width, "dark");
        self.chrome("Emulation.setEmulatedMedia", &json!({"media": "print"}));
        self.run("dispatchEvent(new Event('beforeprint'))");
    }

    /// Saves what the screen shows and what is below it, where FENCEPOST_SCREENSHOTS names a directory.
    pub(crate) fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("FENCEPOST_SCREENSHOTS").map(PathBuf::from) else { return };
        let taken =
            self.chrome("Page.captureScreenshot", &json!({"format": "png", "captureBeyondViewport": true}));
        fs::create_dir_all(&folder).expect("a directory");
        // Decoding needs no library where a shell has it.
        let mut decode = Command::new("base64")
            .arg("-d")
            .stdin(Stdio::piped())
            .stdout(fs::File::create(folder.join(name)).expect("a file"))
            .spawn()
            .expect("base64 starts");
        let text = taken["data"].as_str().expect("a picture").to_owned();
        decode.stdin.take().expect("piped").write_all(text.as_bytes()).expect("written");
        assert!(decode.wait().is_ok_and(|status| status.success()), "{name}");
    }

    /// A command of the browser's own protocol.
    fn chrome(&self, command: &str, parameters: &Value) -> Value {
        self.session_call("POST", "/goog/cdp/execute", &json!({"cmd": command, "params": parameters}))
    }

    /// The page as it is printed: PDF in base 64.
    pub(crate) fn print(&self) -> String {
        let printed = self.session_call("POST", "/print", &json!({}));
        printed.as_str().unwrap_or_else(|| panic!("no text: {printed}")).to_owned()
    }

    /// Clicks as a person would: what is covered or out of sight cannot be clicked.
    pub(crate) fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.session_call("POST", &format!("/element/{element}/click"), &json!({}));
    }

    pub(crate) fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.session_call("POST", &format!("/element/{element}/value"), &json!({"text": text}));
    }

    fn element(&self, selector: &str) -> String {
        let found =
            self.session_call("POST", "/element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().and_then(|fields| fields.values().next()).and_then(Value::as_str);
        id.unwrap_or_else(|| panic!("{selector}: {found}")).to_owned()
    }

    /// Everything that the console was told.
    pub(crate) fn console(&self) -> Vec<String> {
        self.log("browser")
    }

    /// Every address that was asked for.
    pub(crate) fn requests(&self) -> Vec<String> {
        let messages = self.log("performance");
        let parsed = messages.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
        parsed
            .map(|value| value["message"].clone())
            .filter(|message| message["method"] == "Network.requestWillBeSent")
            .filter_map(|message| message["params"]["request"]["url"].as_str().map(str::to_owned))
            .collect()
    }

    fn log(&self, kind: &str) -> Vec<String> {
        let entries = self.session_call("POST", "/se/log", &json!({"type": kind}));
        let entries = entries.as_array().unwrap_or_else(|| panic!("{entries}")).clone();
        entries.iter().filter_map(|entry| entry["message"].as_str().map(str::to_owned)).collect()
    }

    fn session_call(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("/session/{}{path}", self.session), body)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "DELETE" { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        stream.set_read_timeout(Some(LIMIT)).expect("a timeout");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .expect("a request");
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a head");
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut answer = vec![0; length];
        reader.read_exact(&mut answer).expect("an answer");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        let value = &answer["value"];
        assert!(value.get("error").is_none(), "{method} {path}: {value}");
        value.clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.call("DELETE", &format!("/session/{}", self.session), &Value::Null);
        } else if !self.session.is_empty() {
            // The test has failed already; closing must not fail on top of it.
            if let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) {
                let _ = write!(
                    stream,
                    "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                    self.session
                );
                let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
                let _ = stream.read(&mut [0; 512]);
            }
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        // What it started ends by itself, but may still be writing, and stays where no session was made.
        end_all(&self.files.path().display().to_string());
        for _ in 0..200 {
            if fs::remove_dir_all(self.files.path()).is_ok() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn runs(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The program's whole path, which chromedriver wants.
fn path_of(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from(program))
}
