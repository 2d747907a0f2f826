"""What a reader sees first: drive, trust, a verdict, the key numbers, the main figure."""
