/** Draws the certificate of a course as a PDF, in the four languages (e-learning §7). */
import { formatCertificateNumber, type WrittenLocale } from '@dala/model'
import { newPdf, type PdfDocument } from '../../../domain/files/pdf/new-pdf.ts'
import { labelsOf } from '../../../resources/labels.ts'

/** The contents of a certificate. */
export interface Certificate {
  name: string
  course: string
  /** Day on which the learner completed the course, in the country's format: `01.03.2026`. */
  day: string
  completedAt: Date
  number: string
  /** Address of the page that confirms the certificate by its number. */
  address: string
}

const margin = 36
const ink = '#1f2937'
const accentColour = '#15803d'

interface Line {
  text: string
  font: 'regular' | 'bold'
  size: number
  color: string
  /** Distance of the line's upper edge from the upper edge of the page. */
  top: number
  /** Maximum height of the line in points; a longer text is drawn smaller. */
  height: number
  /** Address to which the line links. */
  link?: string
}

/** Width of the code with the address, in points: two centimetres, which a phone reads from a sheet. */
const codeWidth = 57

/** Draws the QR code with the address of the certificate, in the lower corner at the end of the page. */
async function drawCode(document: PdfDocument, address: string): Promise<void> {
  const { encode } = await import('uqr')
  const { size, data } = encode(address, { ecc: 'M', border: 0 })
  const squareSize = codeWidth / size
  const leftEdge = document.page.width - margin - 20 - codeWidth
  const top = document.page.height - margin - 20 - codeWidth
  for (const [row, squares] of data.entries())
    for (const [column, isDark] of squares.entries())
      if (isDark) document.rect(leftEdge + column * squareSize, top + row * squareSize, squareSize, squareSize)
  document.fill(ink)
}

/** Draws a centred line of the certificate, smaller where its text would not fit. */
function drawLine(document: PdfDocument, { text, font, size, color, top, height, link }: Line): void {
  const width = document.page.width - margin * 6
  document.font(font).fillColor(color)
  let fittingSize = size
  while (fittingSize > 8 && document.fontSize(fittingSize).heightOfString(text, { width }) > height) fittingSize -= 1
  document.fontSize(fittingSize)
  document.text(text, margin * 3, top, { width, height, align: 'center', ellipsis: true, ...(link && { link }) })
}

/**
 * Draws a certificate on one page.
 *
 * @param certificate - Its contents.
 * @param language - The language of its words.
 * @returns The bytes of the PDF.
 */
export async function drawCertificate(certificate: Certificate, language: WrittenLocale): Promise<Buffer> {
  const labels = labelsOf(language)
  const { name, course, day, completedAt, number, address } = certificate
  const { document, ended } = await newPdf({
    layout: 'landscape',
    margin,
    lang: language,
    info: { Title: `${labels['certificate.title']}: ${course}`, CreationDate: completedAt, ModDate: completedAt },
  })

  const { width, height } = document.page
  document.lineWidth(3).strokeColor(accentColour)
  document.rect(margin, margin, width - margin * 2, height - margin * 2).stroke()
  document
    .lineWidth(0.75)
    .rect(margin + 7, margin + 7, width - margin * 2 - 14, height - margin * 2 - 14)
    .stroke()

  const plainText = { font: 'regular', color: ink } as const
  drawLine(document, {
    font: 'bold',
    color: accentColour,
    text: labels['certificate.title'],
    size: 44,
    top: 80,
    height: 60,
  })
  drawLine(document, { ...plainText, font: 'bold', text: name, size: 32, top: 165, height: 60 })
  drawLine(document, { ...plainText, text: labels['certificate.completed'], size: 18, top: 240, height: 26 })
  drawLine(document, { ...plainText, font: 'bold', text: course, size: 26, top: 280, height: 105 })
  drawLine(document, { ...plainText, text: day, size: 18, top: 405, height: 26 })
  drawLine(document, {
    ...plainText,
    text: `${labels['certificate.number']} ${formatCertificateNumber(number)}`,
    size: 13,
    top: 460,
    height: 18,
  })
  drawLine(document, {
    ...plainText,
    text: `${labels['certificate.check']} ${address}`,
    size: 11,
    top: 482,
    height: 30,
    link: address,
  })
  await drawCode(document, address)
  document.end()
  return ended
}
