import { describe, expect, it } from 'vitest'
import { isLicenceFile, licenceRemark, licencesDocument } from './licences.ts'

const standardTexts = { MIT: 'Permission is hereby granted' }

describe('licencesDocument', () => {
  it('lists packages by name, each once, with their own texts', () => {
    const document = licencesDocument(
      [
        { name: 'pg', version: '8.0.0', licence: 'MIT', texts: ['Text of pg', 'Notice of pg'] },
        { name: 'ajv', version: '1.0.0', licence: 'BSD', texts: ['Text of ajv'] },
        { name: 'ajv', version: '1.0.0', licence: 'BSD', texts: ['Text of ajv'] },
      ],
      standardTexts,
    )
    expect(document.split(/\n=+\n/u).map((section) => section.trim())).toEqual([
      'ajv 1.0.0 (BSD)\n\nText of ajv',
      'pg 8.0.0 (MIT)\n\nText of pg\n\nNotice of pg',
    ])
  })

  it('adds the standard text and the remark of the README to a package without a text', () => {
    const document = licencesDocument(
      [{ name: 'dfa', version: '1.0.0', licence: 'MIT', texts: [], remark: 'MIT, by its author' }],
      standardTexts,
    )
    expect(document).toContain('MIT, by its author')
    expect(document).toContain('Permission is hereby granted')
  })

  it.each([
    ['neither a licence nor a text', undefined, [], 'no licence named'],
    ['an empty text', undefined, [' \n'], 'no licence named'],
    ['a licence whose text is not known', 'SEE LICENSE', [], 'SEE LICENSE'],
  ])('refuses a package with %s', (_case, licence, texts, reason) => {
    const build = () => licencesDocument([{ name: 'odd', version: '1.0.0', licence, texts }], standardTexts)
    expect(build).toThrow(`No text of a licence is known for: odd 1.0.0 (${reason}).`)
  })
})

describe('isLicenceFile', () => {
  it.each(['LICENSE', 'licence.md', 'LICENSE-MIT.txt', 'COPYING', 'NOTICE', 'UNLICENSE', 'ThirdPartyNotices.txt'])(
    'accepts %s',
    (name) => {
      expect(isLicenceFile(name)).toBe(true)
    },
  )

  it.each(['README.md', 'license.js', 'index.js', 'package.json'])('refuses %s', (name) => {
    expect(isLicenceFile(name)).toBe(false)
  })
})

describe('licenceRemark', () => {
  it('returns the section of a README up to the next heading', () => {
    expect(licenceRemark('# dfa\n\n## License\n\nMIT\n\n## Use\n\nx')).toBe('MIT')
  })

  it('returns the last section of a README', () => {
    expect(licenceRemark('# vips\n\n## Licensing\n\nLGPL\nand others\n')).toBe('LGPL\nand others')
  })

  it('returns nothing for a README without a section', () => {
    expect(licenceRemark('# dfa\n\nThe licence is good.')).toBeUndefined()
  })
})
