"""When is a measured point long enough? Pure: windows in, a decision and its reason out."""
