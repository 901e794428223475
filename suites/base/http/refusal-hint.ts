/** Advises on a refusal of access if the server's own words give a reason other than credentials; otherwise undefined. */
export function hintForRefusal(answerText: string): string | undefined {
  if (/signed[ _-]?by|signature|signer|sign(ing)?[ _-]?key/i.test(answerText))
    return "it says that the signature is wrong: check the keys given and the senders that messages name";
  if (/\bclock|skew|time[ _-]?stamp|\bstale\b|too[ _-](old|early|late)|not[ _-]yet[ _-]valid/i.test(answerText))
    return "it says that the time is wrong: check that the clocks of both sides agree";
  return undefined;
}
