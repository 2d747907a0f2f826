//! Unix sockets that replace only what is dead and leave nothing behind.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use crate::fault::ServeError;

/// A listening socket. Its file is removed when it is dropped, unless somebody else has put another in its place.
#[derive(Debug)]
pub struct Listener {
    socket: UnixListener,
    path: PathBuf,
    identity: (u64, u64),
}

impl Listener {
    /// Binds `path` for this user alone. A socket that nobody listens on any more is replaced.
    ///
    /// # Errors
    /// [`ServeError::SocketInUse`] for a live socket, [`ServeError::NotASocket`] for any other file,
    /// [`ServeError::Bind`] for what the system says.
    pub fn bind(path: &Path) -> Result<Self, ServeError> {
        let failed = |source| ServeError::Bind {
            path: path.to_owned(),
            source,
        };
        remove_stale(path)?;
        let socket = UnixListener::bind(path).map_err(failed)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(failed)?;
        socket.set_nonblocking(true).map_err(failed)?;
        let identity = identity(path).map_err(failed)?;
        Ok(Self {
            socket,
            path: path.to_owned(),
            identity,
        })
    }

    /// The socket to poll and to accept from.
    pub fn socket(&self) -> &UnixListener {
        &self.socket
    }

    /// A new connection, if one waits.
    ///
    /// # Errors
    /// The system's, such as no file descriptor left.
    pub fn accept(&self) -> io::Result<Option<UnixStream>> {
        match self.socket.accept() {
            Ok((socket, _)) => Ok(Some(socket)),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if identity(&self.path).is_ok_and(|found| found == self.identity) {
            // Nobody is left to tell; a stale socket is replaced at the next start.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    fs::symlink_metadata(path).map(|metadata| (metadata.dev(), metadata.ino()))
}

fn remove_stale(path: &Path) -> Result<(), ServeError> {
    let failed = |source| ServeError::Bind {
        path: path.to_owned(),
        source,
    };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
        Ok(metadata) if !metadata.file_type().is_socket() => return Err(ServeError::NotASocket(path.to_owned())),
        Ok(_) => {}
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path).map_err(failed),
        // A full backlog or missing rights mean that somebody is there, too.
        _ => Err(ServeError::SocketInUse(path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of its own for a test, removed at its end.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("nbd-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn a_live_socket_is_left_alone() {
        let scratch = Scratch::new("live");
        let path = scratch.0.join("socket");
        let _first = Listener::bind(&path).unwrap();
        assert!(matches!(Listener::bind(&path), Err(ServeError::SocketInUse(found)) if found == path));
    }

    #[test]
    fn a_stale_socket_is_replaced() {
        let scratch = Scratch::new("stale");
        let path = scratch.0.join("socket");
        drop(UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        assert!(Listener::bind(&path).is_ok());
    }

    #[test]
    fn a_file_is_never_replaced() {
        let scratch = Scratch::new("file");
        let path = scratch.0.join("file");
        fs::write(&path, "precious").unwrap();
        assert!(matches!(Listener::bind(&path), Err(ServeError::NotASocket(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    }

    #[test]
    fn the_socket_goes_with_its_listener() {
        let scratch = Scratch::new("gone");
        let path = scratch.0.join("socket");
        drop(Listener::bind(&path).unwrap());
        assert!(!path.exists());
    }

    #[test]
    fn a_successor_keeps_its_socket() {
        let scratch = Scratch::new("successor");
        let path = scratch.0.join("socket");
        let first = Listener::bind(&path).unwrap();
        fs::rename(&path, scratch.0.join("moved")).unwrap();
        let second = Listener::bind(&path).unwrap();
        drop(first);
        assert!(path.exists());
        drop(second);
    }

    #[test]
    fn only_the_owner_may_connect() {
        let scratch = Scratch::new("mode");
        let path = scratch.0.join("socket");
        let _listener = Listener::bind(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
