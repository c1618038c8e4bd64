export interface Metro {
  city: string
  state: string
  latitude: number
  longitude: number
  /** Relative number of restaurants; larger cities have more. */
  weight: number
  neighborhoods: readonly string[]
}

const metro = (
  city: string,
  state: string,
  latitude: number,
  longitude: number,
  weight: number,
  neighborhoods: string,
): Metro => ({
  city,
  state,
  latitude,
  longitude,
  weight,
  neighborhoods: neighborhoods.split(', '),
})

/** Forty-two metropolitan areas with real neighborhoods. */
export const metros: readonly Metro[] = [
  metro(
    'New York',
    'NY',
    40.7429,
    -73.9899,
    12,
    'Chelsea, Hell’s Kitchen, Midtown, West Village, East Village, Tribeca, SoHo, Flatiron, Murray Hill, Upper West Side, Upper East Side, Harlem',
  ),
  metro(
    'Brooklyn',
    'NY',
    40.6872,
    -73.9718,
    6,
    'Williamsburg, Park Slope, Fort Greene, Bushwick, Cobble Hill, Greenpoint',
  ),
  metro(
    'Los Angeles',
    'CA',
    34.0586,
    -118.3082,
    9,
    'Silver Lake, Koreatown, Downtown, Los Feliz, Echo Park, Fairfax, Culver City',
  ),
  metro(
    'Chicago',
    'IL',
    41.8917,
    -87.6388,
    8,
    'River North, Wicker Park, Logan Square, West Loop, Pilsen, Lincoln Park, Andersonville',
  ),
  metro('Houston', 'TX', 29.7449, -95.3905, 5, 'Montrose, The Heights, Midtown, Rice Village, EaDo'),
  metro('Phoenix', 'AZ', 33.4669, -112.0636, 4, 'Roosevelt Row, Arcadia, Downtown, Melrose'),
  metro(
    'Philadelphia',
    'PA',
    39.9467,
    -75.1618,
    5,
    'Fishtown, Rittenhouse, Old City, East Passyunk, Northern Liberties',
  ),
  metro('San Antonio', 'TX', 29.4327, -98.4836, 3, 'Pearl, Southtown, Downtown, Alamo Heights'),
  metro('San Diego', 'CA', 32.7398, -117.1406, 4, 'North Park, Little Italy, Gaslamp, Hillcrest, Ocean Beach'),
  metro('Dallas', 'TX', 32.7949, -96.7952, 4, 'Deep Ellum, Bishop Arts, Uptown, Knox-Henderson'),
  metro('Austin', 'TX', 30.2629, -97.7407, 4, 'East Austin, South Congress, Downtown, Mueller, Zilker'),
  metro('San Jose', 'CA', 37.3352, -121.8911, 3, 'Japantown, Willow Glen, Downtown, The Alameda'),
  metro(
    'San Francisco',
    'CA',
    37.7695,
    -122.4239,
    7,
    'Mission, Hayes Valley, North Beach, Richmond, SoMa, Castro, Marina',
  ),
  metro('Oakland', 'CA', 37.8152, -122.2637, 3, 'Temescal, Uptown, Rockridge, Jack London'),
  metro('Columbus', 'OH', 39.9712, -83.0018, 3, 'Short North, German Village, Clintonville, Italian Village'),
  metro('Charlotte', 'NC', 35.2212, -80.8391, 3, 'NoDa, South End, Plaza Midwood, Uptown'),
  metro('Raleigh', 'NC', 35.7841, -78.6447, 2, 'Glenwood South, Downtown, Five Points, North Hills'),
  metro('Indianapolis', 'IN', 39.7718, -86.1528, 3, 'Mass Ave, Fountain Square, Broad Ripple, Fletcher Place'),
  metro('Seattle', 'WA', 47.6198, -122.3268, 5, 'Capitol Hill, Ballard, Belltown, Fremont, Pike Place'),
  metro('Denver', 'CO', 39.7466, -104.9867, 4, 'RiNo, LoDo, Highland, Cap Hill, Baker'),
  metro('Washington', 'DC', 38.9101, -77.0298, 5, 'Shaw, Dupont Circle, Georgetown, Adams Morgan, Navy Yard'),
  metro('Boston', 'MA', 42.3531, -71.0668, 5, 'Back Bay, North End, South End, Fenway, Seaport'),
  metro('Nashville', 'TN', 36.1579, -86.7831, 3, 'East Nashville, The Gulch, Germantown, 12 South'),
  metro('Detroit', 'MI', 42.3359, -83.0509, 3, 'Corktown, Midtown, Eastern Market, Downtown'),
  metro('Portland', 'OR', 45.5236, -122.6587, 4, 'Pearl District, Alberta, Division, Mississippi, Sellwood'),
  metro('Las Vegas', 'NV', 36.1425, -115.1541, 4, 'Arts District, The Strip, Chinatown, Summerlin'),
  metro('Memphis', 'TN', 35.1387, -90.0241, 2, 'Cooper-Young, Overton Square, Downtown, Broad Avenue'),
  metro('Louisville', 'KY', 38.2439, -85.7326, 2, 'NuLu, Germantown, Highlands, Butchertown'),
  metro('Baltimore', 'MD', 39.2932, -76.6096, 3, 'Fells Point, Hampden, Federal Hill, Mount Vernon'),
  metro('Milwaukee', 'WI', 43.0418, -87.9097, 2, 'Third Ward, Bay View, Walker’s Point, East Side'),
  metro('Albuquerque', 'NM', 35.0863, -106.6403, 2, 'Nob Hill, Old Town, Downtown, Los Ranchos'),
  metro('Tucson', 'AZ', 32.2272, -110.9611, 2, 'Fourth Avenue, Downtown, Sam Hughes, Armory Park'),
  metro('Sacramento', 'CA', 38.5722, -121.4835, 3, 'Midtown, Oak Park, East Sacramento, Southside'),
  metro('Kansas City', 'MO', 39.0921, -94.5823, 3, 'Crossroads, Westport, River Market, Brookside'),
  metro('Atlanta', 'GA', 33.7721, -84.3793, 4, 'Inman Park, Old Fourth Ward, Virginia-Highland, West Midtown'),
  metro('Miami', 'FL', 25.7817, -80.1938, 5, 'Wynwood, Little Havana, Brickell, Design District, Coconut Grove'),
  metro('Tampa', 'FL', 27.9516, -82.4651, 3, 'Ybor City, Hyde Park, Seminole Heights, Downtown'),
  metro('Orlando', 'FL', 28.5466, -81.3712, 3, 'Mills 50, Thornton Park, College Park, Audubon Park'),
  metro('New Orleans', 'LA', 29.9531, -90.0742, 4, 'French Quarter, Marigny, Garden District, Bywater, Mid-City'),
  metro('Minneapolis', 'MN', 44.9712, -93.2721, 3, 'North Loop, Northeast, Uptown, Whittier'),
  metro('Cleveland', 'OH', 41.4917, -81.7014, 2, 'Ohio City, Tremont, Detroit Shoreway, Little Italy'),
  metro('Pittsburgh', 'PA', 40.4506, -79.9798, 2, 'Lawrenceville, Strip District, Shadyside, South Side'),
  metro('Cincinnati', 'OH', 39.1108, -84.5148, 2, 'Over-the-Rhine, Northside, Mount Adams, Hyde Park'),
  metro('St. Louis', 'MO', 38.6162, -90.2401, 2, 'The Hill, Central West End, Soulard, Cherokee Street'),
  metro('Salt Lake City', 'UT', 40.7561, -111.8872, 2, 'Sugar House, Ninth and Ninth, Downtown, The Avenues'),
  metro('Honolulu', 'HI', 21.2935, -157.8475, 2, 'Kaimuki, Chinatown, Waikiki, Kakaako'),
]
