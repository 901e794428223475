/** One check of a certificate. */
export interface CertificateCheck {
  what: string;
  /** The source that the certificate was compared with. */
  against: string;
  /** The fault, if the check failed. */
  wrong?: string;
  /** Why the comparison was not possible; such a check does not count as passed. */
  open?: string;
}

/** Returns the checks that make a certificate invalid: the failed ones, and the open ones except that of the subject. */
export function findObjections(checks: readonly CertificateCheck[]): CertificateCheck[] {
  return checks.filter(({ what, wrong, open }) => wrong !== undefined || (open !== undefined && what !== "subject"));
}
