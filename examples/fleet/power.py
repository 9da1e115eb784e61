"""Power-cycles a rig by labgrid's driver: power.py LABGRID.yaml RIG

It is for the package python3-labgrid of Debian 12, which has drivers and neither client nor coordinator.
"""
import sys

from labgrid import Environment

if len(sys.argv) != 3:
    sys.exit("usage: power.py LABGRID.yaml RIG")
Environment(sys.argv[1]).get_target(sys.argv[2]).get_driver("PowerProtocol").cycle()
