//! For tests: a provider of models on loopback that follows a script. It speaks HTTP and no
//! vendor's format: what it says comes from the test, byte by byte where that matters.
//!
//! Invariant: every request is kept as it arrived, and every reply is that of the script.

mod reply;
mod request;

use reply::Ending;
pub use reply::Reply;
pub use request::Request;

use std::io::{self, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A provider that follows a script: one reply a request, in the order in which requests arrive.
#[derive(Debug)]
pub struct Provider {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    closed: Mutex<Receiver<()>>,
}

impl Provider {
    /// Starts it. When the script has come to its end, it answers with status 500.
    pub fn start(script: impl IntoIterator<Item = Reply>) -> io::Result<Self> {
        let mut script = script.into_iter().collect::<Vec<_>>().into_iter();
        Self::answering(move |_| script.next().unwrap_or_else(Reply::end_of_script))
    }

    /// Starts one whose reply depends on what it is asked.
    pub fn answering(script: impl FnMut(&Request) -> Reply + Send + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let requests = Arc::new(Mutex::new(Vec::new()));
        let script: Script = Arc::new(Mutex::new(script));
        let (sender, closed) = channel();
        let desk = Desk { script, requests: Arc::clone(&requests), closed: sender };
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let desk = desk.clone();
                thread::spawn(move || desk.serve(&stream));
            }
        });
        Ok(Self { address, requests, closed: Mutex::new(closed) })
    }

    /// Its address with a path behind it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until a client has hung up on a reply; whether it did, long before it would have lost
    /// its patience.
    pub fn was_hung_up_on(&self) -> bool {
        let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        closed.recv_timeout(Duration::from_secs(5)).is_ok()
    }
}

type Script = Arc<Mutex<dyn FnMut(&Request) -> Reply + Send>>;

#[derive(Clone)]
struct Desk {
    script: Script,
    requests: Arc<Mutex<Vec<Request>>>,
    closed: Sender<()>,
}

impl Desk {
    /// Serves one connection until either side closes it.
    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        while let Some(request) = Request::read(&mut reader)? {
            // Request and reply are taken together, so that they belong together.
            let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
            let reply = script(&request);
            self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
            drop(script);
            match say(stream, reply) {
                Ok(Next::Request) => {}
                Ok(Next::Done) => return Ok(()),
                Ok(Next::HungUp) | Err(_) => {
                    // No one listens when the test is over.
                    let _ = self.closed.send(());
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Request,
    /// The script closes the connection.
    Done,
    /// The client has closed it.
    HungUp,
}

/// Says a reply; an error is the client hanging up in the middle of it.
fn say(mut stream: &TcpStream, reply: Reply) -> io::Result<Next> {
    stream.write_all(&reply.head())?;
    for piece in &reply.pieces {
        write!(stream, "{:x}\r\n", piece.len())?;
        stream.write_all(piece)?;
        stream.write_all(b"\r\n")?;
    }
    match reply.ending {
        Ending::Whole => {
            stream.write_all(b"0\r\n\r\n")?;
            Ok(Next::Request)
        }
        Ending::CutOff => Ok(Next::Done),
        Ending::Hangs => {
            // Nothing more comes from the client either, until it hangs up.
            let _ = stream.read(&mut [0])?;
            Ok(Next::HungUp)
        }
    }
}
