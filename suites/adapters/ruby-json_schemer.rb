require "json"
require "set"
require "json_schemer"

store = {}
validators = Hash.new do |made, id|
  made[id] = JSONSchemer.schema(store[id], format: true, ref_resolver: ->(uri) { store[uri.to_s.sub(/#.*/, "")] })
end
$stdout.sync = true
$stdin.each_line do |line|
  message = JSON.parse(line)
  case message["command"]
  when "hello"
    message["schemas"].each { |schema| store[schema["$id"]] = schema }
    # Before 1.0 it refuses what is newer than draft-07; without $schema it reads it as that.
    store.each_value { |schema| schema.delete("$schema") } if JSONSchemer::VERSION.start_with?("0.")
    answer = { ready: true, name: "ruby-json_schemer", claims: ["format-assertion"] }
  when "check"
    begin
      errors = validators[message["schema"]].validate(message["data"]).map { |error| { at: error["data_pointer"], keyword: error["type"] } }
      answer = { seq: message["seq"], valid: errors.empty?, errors: }
    rescue NotImplementedError
      answer = { seq: message["seq"], skipped: "json_schemer does not implement all that the schema says" }
    end
  else break
  end
  puts JSON.generate(answer)
end
