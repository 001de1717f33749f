/** What the viewer of pictures is given. */
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
  /** Which one is shown first. */
  start: number
  /** It is closed and out of sight. */
  onClose: () => void
}
