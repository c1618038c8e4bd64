/** Returns up to five page numbers around the current one. */
export function pageWindow(page: number, totalPages: number, size = 5): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(size / 2), totalPages - size + 1))
  return Array.from({ length: Math.min(size, totalPages) }, (_, index) => first + index)
}
