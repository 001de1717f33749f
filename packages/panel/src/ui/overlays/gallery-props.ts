/** The props of the picture viewer. */
export interface GalleryPicture {
  src: string
  thumbnail?: string | undefined
  alt: string
  caption?: string | undefined
  width?: number | undefined
  height?: number | undefined
}

export interface GalleryProps {
  pictures: readonly GalleryPicture[]
  /** The index of the first picture. */
  start: number
  /** Called when it is closed and no longer visible. */
  onClose: () => void
}
