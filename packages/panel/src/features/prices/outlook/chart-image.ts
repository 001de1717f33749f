/** Saves a price chart as an image file: the drawing with its title and the names of its lines. */
import { saveFile } from '../../../resource/list/file.ts'

interface ChartImage {
  title: string
  names: readonly string[]
  /** Name of the chart's image file. */
  name: string
}

/**
 * Properties of the drawing that come from the style sheet, which a drawing outside the page does not have.
 */
const copiedStyles = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size'] as const
/** Number of image pixels for each screen pixel. */
const imageScale = 2
const margin = 16
const headHeight = 34
const legendLine = 22

/** Copy of the chart's drawing that has the same appearance without the page. */
function inlineStyles(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) throw new TypeError('A copy of a drawing is a drawing')
  const originals = [drawing, ...drawing.querySelectorAll<SVGElement>('*')]
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')]
  for (const [index, original] of originals.entries()) {
    const style = getComputedStyle(original)
    for (const name of copiedStyles) copies[index]?.setAttribute(name, style.getPropertyValue(name))
  }
  const { width, height } = drawing.getBoundingClientRect()
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return copy
}

/** Draws the chart on white and downloads the image. */
export async function saveChart(drawing: SVGSVGElement, { title, names, name }: ChartImage): Promise<void> {
  const { width, height } = drawing.getBoundingClientRect()
  const picture = new Image()
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(
    new XMLSerializer().serializeToString(inlineStyles(drawing)),
  )}`
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * margin) * imageScale
  canvas.height = (height + headHeight + names.length * legendLine + 2 * margin) * imageScale
  const context = canvas.getContext('2d')
  if (!context) return
  const style = getComputedStyle(document.documentElement)
  context.scale(imageScale, imageScale)
  context.fillStyle = style.getPropertyValue('--surface')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = style.getPropertyValue('--text')
  context.font = `600 15px ${getComputedStyle(document.body).fontFamily}`
  context.fillText(title, margin, margin + 16, width)
  context.drawImage(picture, margin, margin + headHeight, width, height)
  context.font = `13px ${getComputedStyle(document.body).fontFamily}`
  for (const [line, text] of names.entries()) {
    const y = margin + headHeight + height + (line + 1) * legendLine - 6
    context.fillStyle = style.getPropertyValue(`--chart-${line + 1}`)
    context.fillRect(margin, y - 6, 24, 4)
    context.fillStyle = style.getPropertyValue('--text')
    context.fillText(text, margin + 32, y)
  }
  const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (content) saveFile({ content, name })
}
