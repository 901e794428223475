use strict;
use warnings;
use JSON::Validator;
use Mojo::JSON qw(encode_json decode_json true false);

# Files without an absolute $id are named schema:/NAME, and it resolves references only against addresses of the web.
sub with_host { $_[0] =~ s{^schema:/}{https://files.invalid/}r }

sub hosted {
    my $value = shift;
    return [map { hosted($_) } @$value] if ref $value eq "ARRAY";
    return $value unless ref $value eq "HASH";
    return { map { $_ => /^\$(id|ref)$/ && !ref $value->{$_} ? with_host($value->{$_}) : hosted($value->{$_}) } keys %$value };
}

$| = 1;
my ($store, %validators);
while (my $line = <STDIN>) {
    my $message = decode_json $line;
    last if $message->{command} eq "stop";
    if ($message->{command} eq "hello") {
        $store = JSON::Validator->new;
        $store->store->add($_->{'$id'}, $_) for map { hosted($_) } @{ $message->{schemas} };
        print encode_json({ ready => true, name => "perl-JSON-Validator", claims => ["format-assertion"] }), "\n";
        next;
    }
    my @errors = eval {
        my $validator = $validators{ $message->{schema} } //= JSON::Validator->new(store => $store->store)->schema(with_host($message->{schema}))->schema;
        map { { at => $_->path eq "/" ? "" : $_->path, message => $_->message } } $validator->validate($message->{data});
    };
    # Such as a pattern that Perl does not know.
    my %verdict = $@ ? (error => "$@") : (valid => @errors ? false : true, errors => \@errors);
    print encode_json({ seq => $message->{seq}, %verdict }), "\n";
}
