import { expect, test } from 'vitest'
import { timeZoneOf } from './time-zones.ts'

test.each([
  ['Miami', 'FL', 25.76, -80.19, 'America/New_York'],
  ['Pensacola', 'FL', 30.42, -87.22, 'America/Chicago'],
  ['Louisville', 'KY', 38.25, -85.76, 'America/New_York'],
  ['Bowling Green', 'KY', 36.99, -86.44, 'America/Chicago'],
  ['Indianapolis', 'IN', 39.77, -86.16, 'America/New_York'],
  ['Gary', 'IN', 41.59, -87.35, 'America/Chicago'],
  ['Knoxville', 'TN', 35.96, -83.92, 'America/New_York'],
  ['Chattanooga', 'TN', 35.05, -85.31, 'America/New_York'],
  ['Spring City', 'TN', 35.69, -84.86, 'America/New_York'],
  ['Crossville', 'TN', 35.95, -85.03, 'America/Chicago'],
  ['Nashville', 'TN', 36.16, -86.78, 'America/Chicago'],
  ['Fargo', 'ND', 46.88, -96.79, 'America/Chicago'],
  ['Dickinson', 'ND', 46.88, -102.79, 'America/Denver'],
  ['Sioux Falls', 'SD', 43.55, -96.73, 'America/Chicago'],
  ['Rapid City', 'SD', 44.08, -103.23, 'America/Denver'],
  ['Omaha', 'NE', 41.26, -95.93, 'America/Chicago'],
  ['Scottsbluff', 'NE', 41.87, -103.67, 'America/Denver'],
  ['Wichita', 'KS', 37.69, -97.34, 'America/Chicago'],
  ['Goodland', 'KS', 39.35, -101.71, 'America/Denver'],
  ['Midland', 'TX', 32.0, -102.08, 'America/Chicago'],
  ['El Paso', 'TX', 31.76, -106.49, 'America/Denver'],
  ['Boise', 'ID', 43.62, -116.2, 'America/Denver'],
  ['Coeur d’Alene', 'ID', 47.68, -116.78, 'America/Los_Angeles'],
  ['Phoenix', 'AZ', 33.45, -112.07, 'America/Phoenix'],
  ['Denver', 'CO', 39.74, -104.99, 'America/Denver'],
  ['Seattle', 'WA', 47.61, -122.33, 'America/Los_Angeles'],
  ['Anchorage', 'AK', 61.22, -149.9, 'America/Anchorage'],
  ['Honolulu', 'HI', 21.31, -157.86, 'Pacific/Honolulu'],
  ['San Juan', 'PR', 18.47, -66.11, 'America/Puerto_Rico'],
  ['Hagåtña', 'GU', 13.47, 144.75, 'Pacific/Guam'],
  ['Pago Pago', 'AS', -14.28, -170.7, 'Pacific/Pago_Pago'],
])('the clocks of %s, %s show the time of its zone', (_city, state, latitude, longitude, zone) => {
  expect(timeZoneOf(state, { latitude, longitude })).toBe(zone)
})
