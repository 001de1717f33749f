/** The kinds of stored files that are no pictures: their names and icons. */
import { extensionsOf } from '@dala/model'
import Captions from 'lucide-react/icons/captions'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import FileText from 'lucide-react/icons/file-text'
import Film from 'lucide-react/icons/film'
import Presentation from 'lucide-react/icons/presentation'

const kinds = {
  pdf: { name: 'PDF', Icon: FileText },
  docx: { name: 'Word', Icon: FileText },
  xlsx: { name: 'Excel', Icon: FileSpreadsheet },
  pptx: { name: 'PowerPoint', Icon: Presentation },
  odt: { name: 'OpenDocument', Icon: FileText },
  ods: { name: 'OpenDocument', Icon: FileSpreadsheet },
  odp: { name: 'OpenDocument', Icon: Presentation },
  txt: { name: 'TXT', Icon: FileText },
  csv: { name: 'CSV', Icon: FileSpreadsheet },
  mp4: { name: 'MP4', Icon: Film },
  webm: { name: 'WebM', Icon: Film },
  vtt: { name: 'WebVTT', Icon: Captions },
} as const satisfies Readonly<Record<string, { name: string; Icon: typeof FileText }>>

const isKind = (extension: string): extension is keyof typeof kinds => Object.hasOwn(kinds, extension)

/** The kind of an address or a file name, by its extension. */
function kindOf(name: string): (typeof kinds)[keyof typeof kinds] | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return isKind(extension) ? kinds[extension] : undefined
}

/** Name of the kind of a stored file: PDF, Word, MP4. */
export const kindNameOf = (address: string): string => kindOf(address)?.name ?? ''

/** Icon of the kind of a stored file. */
export function FileKindIcon({ address, size }: { address: string; size: number }) {
  const Icon = kindOf(address)?.Icon ?? FileText
  return <Icon size={size} aria-hidden className="shrink-0" />
}

/** Extensions that a file input offers for documents. */
export const documentAccept = extensionsOf.document.map((documentExtension) => `.${documentExtension}`).join(',')

const documentName = new RegExp(`[.](?:${extensionsOf.document.join('|')})$`, 'i')

/** Whether a chosen file is a document by its name; the server decides by its content. */
export const isDocument = ({ name }: File): boolean => documentName.test(name)
