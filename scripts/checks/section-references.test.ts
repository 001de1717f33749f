import { describe, expect, it } from 'vitest'
import { danglingReferences, readSections } from './section-references.ts'

/** The section sign is written by its code, because this check reads this file as well. */
const sectionSign = '\u00a7'
/** Returns a text in which `%` stands for the section sign. */
const signSections = (text: string) => text.replaceAll('%', sectionSign)

const sections = readSections({
  'docs/spec/contract.md': '# Contract\n\n## 1. Errors\n\n## 2. Users\n\n### Calls\n\n## 14. Roles',
  'docs/spec/content-model.md': '## 1. People\n\n## 8. Prices',
  'docs/spec/security-checklist.md': '## 1. Authentication\n\n## Reading it',
})
const problems = (text: string, file = 'packages/model/src/index.ts') =>
  danglingReferences(file, signSections(text), sections).map(
    ({ line, text: referenceText, problem }) => `${line}: ${referenceText}: ${problem}`,
  )

describe('readSections', () => {
  it('lists the numbered headings of a document under the name by which it is cited', () => {
    expect([...sections.keys()]).toEqual(['contract', 'content-model', 'checklist'])
    expect([...(sections.get('contract') ?? [])]).toEqual(['1', '2', '14'])
    expect([...(sections.get('checklist') ?? [])]).toEqual(['1'])
  })
})

describe('danglingReferences with valid references', () => {
  it.each([
    ['of one section', '/** The error body (contract %1). */'],
    ['at the beginning of a sentence', '// Contract %14: roles.'],
    ['of several sections of one document', 'Rules of contract %1, %2 and %14.'],
    ['of a range', 'The query (contract %1–%2).'],
    ['of several documents', '(content-model %8, checklist %1, contract %2)'],
    ['over the end of a line of a comment', '/**\n * Errors (contract\n * %14). One body.\n */'],
    ['over the end of a line of a comment of one line each', '// Errors as in contract\n// %2 and %1.'],
    ['of a document with a hyphen, in a table', '| Prices | content-model %8 | yes |'],
    ['that are only a sign', 'the sign % alone, and %a'],
  ])('accepts a valid reference to a section: %s', (_, text) => {
    expect(problems(text)).toEqual([])
  })

  it('accepts a bare section number within the document that has the section', () => {
    expect(problems('As in %2, and by %1 (%14, %1).', 'docs/spec/contract.md')).toEqual([])
  })
})

describe('danglingReferences with broken references', () => {
  it('finds a reference to a section that its document does not have', () => {
    expect(problems('one\ntwo (contract %3)')).toEqual([`2: contract ${sectionSign}3: contract has no section 3`])
  })

  it('finds a reference to a subsection that is no heading', () => {
    expect(problems('contract %1.4')).toEqual([`1: contract ${sectionSign}1.4: contract has no section 1.4`])
  })

  it('finds a reference to a document that does not exist', () => {
    expect(problems('(house %1)')).toEqual([`1: house ${sectionSign}1: "house" is no document of docs/spec/`])
    expect(problems('(product/contract.md %1)')).toEqual([
      `1: product/contract.md ${sectionSign}1: "product/contract.md" is no document of docs/spec/`,
    ])
  })

  it('finds a section reference without a document', () => {
    expect(problems('(%1)')).toEqual([`1: ${sectionSign}1: names no document`])
    expect(problems('as in %1')).toEqual([`1: in ${sectionSign}1: names no document`])
  })

  it('finds a bare section number far from the document that an earlier reference names', () => {
    expect(problems('Errors (contract %1). Roles (%14).')).toEqual([`1: ${sectionSign}14: names no document`])
  })

  it('finds a broken section after a valid one of the same document', () => {
    expect(problems('content-model %1 and %2')).toEqual([`1: and ${sectionSign}2: content-model has no section 2`])
  })

  it('finds an unknown document or section in a document of the specification', () => {
    expect(problems('As in %9.', 'docs/spec/contract.md')).toEqual([`1: in ${sectionSign}9: contract has no section 9`])
    expect(problems('Words of style %1.', 'docs/spec/contract.md')).toEqual([
      `1: style ${sectionSign}1: "style" is no document of docs/spec/`,
    ])
  })

  it('returns all broken references, each with its line', () => {
    expect(problems('(contract %9)\n\n * (contract\n * %7)\n').map((problem) => problem.split(':')[0])).toEqual([
      '1',
      '4',
    ])
  })
})
