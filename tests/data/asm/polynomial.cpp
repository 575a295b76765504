#include <array>
#include <cstdint>
#include <vector>

template <typename T, std::size_t N> T horner(const std::array<T, N> &c, T x) {
    T y = 0;
    for (T one : c)
        y = y * x + one;
    return y;
}

template double horner(const std::array<double, 8> &, double);

double all(const std::vector<double> &xs, const std::array<double, 8> &c) {
    double sum = 0;
    for (double x : xs)
        sum += horner(c, x);
    return sum;
}

std::uint64_t bits(const std::vector<std::uint64_t> &xs) {
    std::uint64_t sum = 0;
    for (auto x : xs)
        sum += __builtin_popcountll(x);
    return sum;
}

struct Shape {
    virtual double area() const = 0;
};

double areas(const std::vector<Shape *> &shapes) {
    double sum = 0;
    for (auto shape : shapes)
        sum += shape->area();
    return sum;
}
