import java.io.PrintStream;
import java.nio.file.Path;
import java.util.*;
import java.util.zip.CRC32;

public final class Dump {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8");
    Set<String> chosen = new HashSet<>(Arrays.asList(args).subList(1, args.length));
    Vectors.eachVector(Path.of(args[0]), chosen, v -> {
      CRC32 sum = new CRC32();
      sum.update(v.text());
      out.print(String.join("\t", v.id(), v.rule(), v.document(), v.expected(), String.join(",", v.needs()), v.reading(),
          String.valueOf(v.text().length), String.format("%08x", sum.getValue())) + "\n");
    });
    out.flush();
  }
}
