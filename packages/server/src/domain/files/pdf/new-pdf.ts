/** Begins PDFs with the typeface of the panel embedded, which has Latin, Cyrillic and Karakalpak letters. */
import { fileURLToPath } from 'node:url'

const regularFont = import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf')
const boldFont = import.meta.resolve('@expo-google-fonts/source-sans-3/700Bold/SourceSans3_700Bold.ttf')

export type PdfDocument = PDFKit.PDFDocument

interface NewPdf {
  document: PdfDocument
  /** Resolves to the bytes of the PDF after `document.end()`. */
  ended: Promise<Buffer>
}

/**
 * Begins a PDF with the fonts `regular` and `bold`.
 *
 * @param options - Options of the library; `lang` is the language of the texts.
 */
export async function newPdf(options: PDFKit.PDFDocumentOptions): Promise<NewPdf> {
  const { default: Pdf } = await import('pdfkit')
  const document = new Pdf({ size: 'A4', displayTitle: true, ...options })
  const chunks: Buffer[] = []
  const endedDocument = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  document.registerFont('regular', fileURLToPath(regularFont))
  document.registerFont('bold', fileURLToPath(boldFont))
  return { document, ended: endedDocument }
}
