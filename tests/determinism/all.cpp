// All scenes as one unit: parsing the library once is a third of the time to compile them.

#include <determinism/joints_float.cpp>
#include <determinism/joints_double.cpp>
#include <determinism/direct_float.cpp>
#include <determinism/direct_double.cpp>
#include <determinism/contacts_float.cpp>
#include <determinism/contacts_double.cpp>
#include <determinism/other_motions.cpp>
#include <determinism/fixed_point.cpp>
#include <determinism/fixed_chain.cpp>
#include <determinism/wide_float.cpp>
#include <determinism/wide_contacts.cpp>
#include <determinism/main.cpp>
