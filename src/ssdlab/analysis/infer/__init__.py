"""What series and histograms say of the drive: plateaus, phases, reach, steadiness."""
