await import('../bench/search.ts')
