import com.fasterxml.jackson.databind.*;
import com.networknt.schema.*;
import java.util.*;
import java.util.stream.*;

class Networknt {
  public static void main(String[] arguments) throws Exception {
    var json = new ObjectMapper();
    var store = new HashMap<String, String>();
    var config = SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).pathType(PathType.JSON_POINTER).build();
    var factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012, builder -> builder.schemaLoaders(loaders -> loaders.schemas(store)));
    for (var lines = new Scanner(System.in, "UTF-8"); lines.hasNextLine(); ) {
      var message = json.readTree(lines.nextLine());
      var command = message.get("command").asText();
      if (command.equals("stop")) break;
      Map<String, Object> answer = Map.of("ready", true, "name", "java-networknt", "claims", List.of("format-assertion"));
      if (command.equals("hello")) message.get("schemas").forEach(schema -> store.put(schema.get("$id").asText(), schema.toString()));
      else try {
        var schema = factory.getSchema(SchemaLocation.of(message.get("schema").asText()), config);
        var errors = schema.validate(message.get("data")).stream().map(error -> Map.of("at", error.getInstanceLocation().toString(), "keyword", error.getType()));
        var reasons = errors.collect(Collectors.toList());
        answer = Map.of("seq", message.get("seq"), "valid", reasons.isEmpty(), "errors", reasons);
      } catch (RuntimeException error) {
        answer = Map.of("seq", message.get("seq"), "error", error.toString());
      }
      System.out.println(json.writeValueAsString(answer));
    }
  }
}
