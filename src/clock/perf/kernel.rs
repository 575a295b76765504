//! How is an event opened, started, stopped and read? System calls behind a trait, so that a made-up kernel can stand in.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use perf_event_open_sys as sys;

use super::event::Event;

/// What counting asks of the kernel.
pub(super) trait Kernel {
    /// An open event.
    type Handle;

    /// Opens `event` of this thread, stopped, in the group of `leader` if there is one; in user mode alone if `user_only` says so.
    fn open(&self, event: Event, leader: Option<&Self::Handle>, user_only: bool) -> io::Result<Self::Handle>;

    /// Sets the group's counts to 0 and starts it.
    fn start(&self, leader: &Self::Handle) -> io::Result<()>;

    /// Stops the group.
    fn stop(&self, leader: &Self::Handle) -> io::Result<()>;

    /// Reads the group into `words`: how many events, time enabled, time running, then each event's count. Gives how many words came.
    fn read(&self, leader: &Self::Handle, words: &mut [u64]) -> io::Result<usize>;
}

/// The running kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linux;

/// `PERF_IOC_FLAG_GROUP`: for the whole group.
const GROUP: u32 = 1;

impl Kernel for Linux {
    type Handle = OwnedFd;

    fn open(&self, event: Event, leader: Option<&OwnedFd>, user_only: bool) -> io::Result<OwnedFd> {
        let (kind, config) = event.code();
        let mut attributes = sys::bindings::perf_event_attr {
            type_: kind,
            size: size_of::<sys::bindings::perf_event_attr>() as u32,
            config,
            read_format: u64::from(sys::bindings::PERF_FORMAT_GROUP)
                | u64::from(sys::bindings::PERF_FORMAT_TOTAL_TIME_ENABLED)
                | u64::from(sys::bindings::PERF_FORMAT_TOTAL_TIME_RUNNING),
            ..Default::default()
        };
        attributes.set_disabled(u64::from(leader.is_none()));
        attributes.set_exclude_kernel(user_only.into());
        attributes.set_exclude_hv(user_only.into());
        let group: RawFd = leader.map_or(-1, AsRawFd::as_raw_fd);
        let flags = sys::bindings::PERF_FLAG_FD_CLOEXEC.into();
        // SAFETY: the attributes live for the whole call and carry their own size; pid 0 and cpu -1 mean this thread on any CPU; the group
        // is an open descriptor or -1.
        let event = unsafe { sys::perf_event_open(&mut attributes, 0, -1, group, flags) };
        if event < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the call returned a new descriptor that nothing else owns.
        Ok(unsafe { OwnedFd::from_raw_fd(event) })
    }

    fn start(&self, leader: &OwnedFd) -> io::Result<()> {
        // SAFETY: both requests take a flag by value and work on an open event.
        done(unsafe { sys::ioctls::RESET(leader.as_raw_fd(), GROUP) })?;
        // SAFETY: as above.
        done(unsafe { sys::ioctls::ENABLE(leader.as_raw_fd(), GROUP) })
    }

    fn stop(&self, leader: &OwnedFd) -> io::Result<()> {
        // SAFETY: as for `start`.
        done(unsafe { sys::ioctls::DISABLE(leader.as_raw_fd(), GROUP) })
    }

    fn read(&self, leader: &OwnedFd, words: &mut [u64]) -> io::Result<usize> {
        // SAFETY: the destination is a live slice of as many bytes; any bytes are valid words.
        let bytes = unsafe { libc::read(leader.as_raw_fd(), words.as_mut_ptr().cast(), size_of_val(words)) };
        usize::try_from(bytes).map(|bytes| bytes / size_of::<u64>()).map_err(|_| io::Error::last_os_error())
    }
}

fn done(result: libc::c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
