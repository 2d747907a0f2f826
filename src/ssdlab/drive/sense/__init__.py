"""What a drive's sensors and the kernel say while it works."""
