/** One check of a certificate. */
export interface CertificateCheck {
  what: string;
  /** What it was compared with. */
  against: string;
  /** The fault, if there is one; absent if it is valid or open. */
  wrong?: string;
  /** Why there is nothing here to compare it with, so that it does not count as valid. */
  open?: string;
}

/** The objections to a certificate: each failed check, and each open one except the check of the subject. */
export function objectionsAmong(checks: readonly CertificateCheck[]): CertificateCheck[] {
  return checks.filter(({ what, wrong, open }) => wrong !== undefined || (open !== undefined && what !== "subject"));
}
