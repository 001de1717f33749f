/** The list of components of a release, in the format CycloneDX 1.5. */

/** A component of a release. */
export interface Component {
  name: string
  version: string
  licence: string | undefined
  /** Its checksum in the lock file, `sha512-…` in base64. */
  integrity: string | undefined
  /** References of the components that it uses. */
  uses: readonly string[]
}

/** Returns the reference of a component, its address without a registry. */
export const referenceOf = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`

const hashesOf = (integrity: string | undefined) => {
  const [, algorithm, content] = /^sha(256|384|512)-(.+)$/u.exec(integrity ?? '') ?? []
  if (algorithm === undefined || content === undefined) return {}
  return { hashes: [{ alg: `SHA-${algorithm}`, content: Buffer.from(content, 'base64').toString('hex') }] }
}

const licencesOf = (licence: string | undefined) => {
  if (licence === undefined) return {}
  const isExpression = /\s/u.test(licence)
  return { licenses: [isExpression ? { expression: licence } : { license: { id: licence } }] }
}

/**
 * Lists the components of a release.
 *
 * @param program - Name and version of the released program.
 * @param components - Its components; those with the same name and version are one.
 * @param time - The time of the release, ISO 8601.
 * @returns A document without a serial number, so that the same components give the same text.
 */
export function sbomOf(program: { name: string; version: string }, components: readonly Component[], time: string) {
  const byReference = new Map<string, Component>()
  for (const component of components) {
    const reference = referenceOf(component)
    const earlier = byReference.get(reference)
    byReference.set(reference, {
      ...component,
      licence: component.licence ?? earlier?.licence,
      integrity: component.integrity ?? earlier?.integrity,
      uses: [...(earlier?.uses ?? []), ...component.uses],
    })
  }
  const sorted = [...byReference].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const programReference = referenceOf(program)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: time,
      component: { type: 'application', 'bom-ref': programReference, ...program, purl: programReference },
    },
    components: sorted.map(([reference, { name, version, licence, integrity }]) => ({
      type: 'library',
      'bom-ref': reference,
      name,
      version,
      purl: reference,
      ...licencesOf(licence),
      ...hashesOf(integrity),
    })),
    dependencies: [
      { ref: programReference, dependsOn: sorted.map(([reference]) => reference) },
      ...sorted.map(([ref, { uses }]) => ({ ref, dependsOn: [...new Set(uses)].toSorted() })),
    ],
  }
}
