"""What private values are called where a reader is told of them."""

from ssdlab.bundle.publication import PrivateKind
from ssdlab.message import message

KIND_NAMES = {
    PrivateKind.SERIAL: message("publish-kind-serial"),
    PrivateKind.IDENTIFIER: message("publish-kind-identifier"),
    PrivateKind.HOST: message("publish-kind-host"),
    PrivateKind.PATH: message("publish-kind-path"),
    PrivateKind.ADDRESS: message("publish-kind-address"),
    PrivateKind.FILE: message("publish-kind-file"),
    PrivateKind.KERNEL: message("publish-kind-kernel"),
    PrivateKind.OPTION: message("publish-kind-option"),
}
