include Makefile
tested: $(TESTED)
