import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { documentFile, officeFile, oleFile } from '../../testing/lesson-files.ts'
import { findMacros } from './macros.ts'

const macroType = 'application/vnd.ms-word.document.macroEnabled.main+xml'
const projectType = 'application/vnd.ms-office.vbaProject'
const project = { 'word/vbaProject.bin': oleFile(['VBA', '_VBA_PROJECT']) }
/** An archive whose directory lists a part under another name than the part itself has. */
const renamedInDirectory = (bytes: Buffer) => {
  const nameOffset = bytes.lastIndexOf('word/document.xml')
  return Buffer.concat([
    bytes.subarray(0, nameOffset),
    Buffer.from('word/vbaProject.x'),
    bytes.subarray(nameOffset + 17),
  ])
}

test.each<[what: string, bytes: Buffer, finding: string]>([
  ['a docx', documentFile('docx'), 'none'],
  ['an odt', documentFile('odt'), 'none'],
  ['a PDF', documentFile('pdf'), 'none'],
  ['a docx with a project of VBA', officeFile(project), 'macros'],
  ['a docx with a project in another case', officeFile({ 'WORD/VBAPROJECT.BIN': strToU8('x') }), 'macros'],
  ['a docx whose project has another name', officeFile({ 'word/a.bin': strToU8('x') }, projectType), 'macros'],
  ['a docm that is named docx', officeFile({}, macroType), 'macros'],
  ['an xlsx with sheets of old macros', officeFile({ 'xl/macrosheets/sheet1.xml': strToU8('x') }), 'macros'],
  ['an odt with Basic', officeFile({ 'Basic/Standard/Module1.xml': strToU8('x') }), 'macros'],
  ['an odt with scripts', officeFile({ 'Scripts/python/a.py': strToU8('x') }), 'macros'],
  ['a doc with streams of VBA', oleFile(['WordDocument', 'Macros', 'VBA', '_VBA_PROJECT']), 'macros'],
  ['an xls with streams of VBA', oleFile(['Workbook', '_VBA_PROJECT_CUR', 'VBA']), 'macros'],
  ['a doc without macros', oleFile(['WordDocument', '1Table']), 'none'],
  [
    'a docx with an embedded xlsm',
    officeFile({ 'word/embeddings/sheet.xlsx': officeFile({ 'xl/vbaProject.bin': strToU8('x') }) }),
    'macros',
  ],
  [
    'a docx with an embedded xls',
    officeFile({ 'word/embeddings/oleObject1.bin': oleFile(['Workbook', '_VBA_PROJECT_CUR']) }),
    'macros',
  ],
  ['an odt with an embedded object', officeFile({ 'Object 1': oleFile(['Workbook', '_VBA_PROJECT_CUR']) }), 'macros'],
  ['a docx with an embedded xlsx', officeFile({ 'word/embeddings/sheet.xlsx': documentFile('docx') }), 'none'],
  [
    'a document that mentions macros',
    officeFile({ 'word/comments.xml': strToU8('How vbaProject.bin and macroEnabled work') }),
    'none',
  ],
  ['an archive whose directory lies', renamedInDirectory(documentFile('docx')), 'unreadable'],
  ['an archive with bytes behind it', Buffer.concat([documentFile('docx'), Buffer.from('x')]), 'unreadable'],
  ['the beginning of an archive', documentFile('docx').subarray(0, 60), 'unreadable'],
  [
    'an embedded object that unpacks into too much',
    Buffer.from(zipSync({ 'word/embeddings/a.bin': new Uint8Array(65 * 1_048_576) })),
    'unreadable',
  ],
  [
    'archives inside archives',
    [1, 2, 3].reduce((innerArchive) => officeFile({ 'word/embeddings/a.docx': innerArchive }), documentFile('docx')),
    'unreadable',
  ],
])('finds of %s: %3$s', async (_what, bytes, finding) => {
  expect(await findMacros(bytes)).toBe(finding)
})
