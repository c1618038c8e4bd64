-- A guest has one held table at a time, at any restaurant: a new hold deletes the one before.
create index table_bookings_held_by_guest on table_bookings (guest_hash) where state = 'held';
