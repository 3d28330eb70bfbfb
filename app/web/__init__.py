"""The pages, the forms and the JSON interface: they read a request, ask the service, and show what it says."""
