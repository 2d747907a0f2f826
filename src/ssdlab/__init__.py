"""ssdlab: an SSD laboratory (see docs/)."""
