require "json"
require "set"
require "json_schemer"

# Before 1.0 it escapes no names in a pointer: they are looked up in the data.
def escaped(at, data)
  names = data.is_a?(Hash) ? data.keys : Array(data).each_index.map(&:to_s)
  name = names.select { |each| "#{at}/".start_with?("/#{each}/") }.max_by(&:length)
  return at if name.nil?
  "/#{name.gsub("~", "~0").gsub("/", "~1")}#{escaped(at[name.length + 1..], data[data.is_a?(Hash) ? name : name.to_i])}"
end

old = JSONSchemer::VERSION.start_with?("0.")
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
    store.each_value { |schema| schema.delete("$schema") } if old
    answer = { ready: true, name: "ruby-json_schemer", claims: ["format-assertion"] }
  when "check"
    begin
      errors = validators[message["schema"]].validate(message["data"]).map do |error|
        { at: old ? escaped(error["data_pointer"], message["data"]) : error["data_pointer"], keyword: error["type"] }
      end
      answer = { seq: message["seq"], valid: errors.empty?, errors: }
    rescue NotImplementedError
      answer = { seq: message["seq"], skipped: "json_schemer does not implement all that the schema says" }
    rescue StandardError => error
      answer = { seq: message["seq"], error: "#{error.class}: #{error.message}" }
    end
  else break
  end
  puts JSON.generate(answer)
end
