"""Prints a row for each vector: usage dump.py FOLDER [CHOSEN...]"""
import sys, zlib
from vectors_reader import vectors

for each in vectors(sys.argv[1], set(sys.argv[2:])):
    text = each["text"]
    print(each["id"], each["rule"], each["document"], each["expected"], ",".join(each["needs"]), each["reading"],
          len(text), "%08x" % zlib.crc32(text), sep="\t")
