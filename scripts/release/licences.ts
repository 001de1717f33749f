/** The texts of the licences of all packages in a release. */

/** A package as far as its licence is concerned. */
export interface LicensedPackage {
  name: string
  version: string
  /** The licence that the package names, an SPDX expression. */
  licence: string | undefined
  /** Texts of the files with its licence and its notices. */
  texts: readonly string[]
  /** The section of its README about the licence; shown when there are no texts. */
  remark?: string | undefined
}

/** Standard texts by SPDX name, for packages that name their licence and contain no text of it. */
export type StandardTexts = Readonly<Record<string, string>>

/** Tells whether a file in the folder of a package has its licence or a notice. */
export const isLicenceFile = (name: string): boolean =>
  /^(?:un)?(?:licen[cs]e|copying|copyright|notice|third-?party)[^/]*$/iu.test(name) && !/\.[cm]?[jt]s$/iu.test(name)

/**
 * Finds what a README says about the licence of its package.
 *
 * @param readme - The text, in Markdown.
 * @returns The section, or undefined without one.
 */
export function licenceRemark(readme: string): string | undefined {
  const [, remark] = /^#+ *Licen[cs](?:e|es|ing)\s*$([\s\S]*?)(?=^#|(?![\s\S]))/imu.exec(readme) ?? []
  return remark?.trim()
}

function textOf(
  { name, version, licence, texts, remark }: LicensedPackage,
  standardTexts: StandardTexts,
): string | undefined {
  const standardText = licence === undefined ? undefined : standardTexts[licence]
  const ownTexts = texts.map((text) => text.trim()).filter((text) => text !== '')
  if (ownTexts.length === 0 && standardText === undefined) return undefined
  const standardParts = [
    ...(remark === undefined ? [] : [remark]),
    'The package names this licence and contains no text of it. The standard text:',
    (standardText ?? '').trim(),
  ]
  const heading = `${name} ${version}${licence === undefined ? '' : ` (${licence})`}`
  return `${[heading, ...(ownTexts.length > 0 ? ownTexts : standardParts)].join('\n\n')}\n`
}

const line = `\n${'='.repeat(80)}\n\n`

/**
 * Writes the document with the licence of each package.
 *
 * @param packages - The packages of a release.
 * @param standardTexts - Standard texts by SPDX name.
 * @returns The document, in the order of names and versions.
 * @throws When a package has neither a text nor a licence whose standard text is known; all of them are
 *   named.
 */
export function licencesDocument(packages: readonly LicensedPackage[], standardTexts: StandardTexts): string {
  const unlicensed = packages.filter((each) => textOf(each, standardTexts) === undefined)
  if (unlicensed.length > 0) {
    const names = unlicensed.map(
      ({ name, version, licence }) => `${name} ${version} (${licence ?? 'no licence named'})`,
    )
    throw new Error(`No text of a licence is known for: ${names.join(', ')}.`)
  }
  const sections = new Map(
    packages.map((each) => [`${each.name} ${each.version}`, textOf(each, standardTexts) ?? ''] as const),
  )
  return [...sections]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, section]) => section)
    .join(line)
}
