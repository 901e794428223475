/** One check of a certificate. */
export interface CertificateCheck {
  what: string;
  /** The source that it was compared with. */
  against: string;
  /** The fault, if the check failed. */
  wrong?: string;
  /** Why it could not be compared; such a check does not count as passed. */
  open?: string;
}

/** Returns the checks that make a certificate invalid: each failed one, and each that could not be compared, except the check of the subject. */
export function findObjections(checks: readonly CertificateCheck[]): CertificateCheck[] {
  return checks.filter(({ what, wrong, open }) => wrong !== undefined || (open !== undefined && what !== "subject"));
}
